//! Random programs, written by `cargo run -p graph-tests --bin generate_programs`: change that, not this.

super::programs! {
    fn program_000(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = c - 3;
        let mut y = x.clone();
        while true {
            fuel -= 1;
            if fuel <= 0 {
                break;
            }
            graph_print!("g1 {} {}", b, y - 4);
        }
        while fuel > 0 && a >= y {
            fuel -= 1;
            while fuel > 0 && { graph_print!("q2 {}", y); y > 0 } {
                fuel -= 1;
                x += 2;
                x += 4;
                if c != (b % 23) || 1 < a {
                    return 6;
                }
                x = y + 6;
            }
            if y != (c % 23) && (a == 7 || x < (c % 35)) {
                return x - (a % 27);
            }
            x -= (y % 39);
        }
        y = 0;
        return (x + (x % 12)) % 80;
    }
    fn program_001(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = (c % 5) - a;
        let mut y = tensor(-7);
        y += 4;
        if b >= b {
            return 1;
        }
        let p1 = !(y > x);
        if p1 && x % 4 == 1 {
            while fuel > 0 && b + 1 <= a {
                fuel -= 1;
                x = a / 7 + 1;
            }
            y = (c + (x % 40)) % 70;
        }
        return a / 7 + 9;
    }
    fn program_002(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = (c % 17) * (b % 37) - (c % 30);
        let mut y = b.clone();
        'l1: while fuel > 0 && x % 5 == 2 && 3 < x {
            fuel -= 1;
            for e2 in [a + 3, x.clone()] {
                let (v3, mut v4) = (a - 0, a.clone());
            }
        }
        (y, x) = ((x + 2) % 110, tensor(-3));
        'l5: while fuel > 0 && !({ graph_print!("q6 {}", c); c > 3 } && a != (y % 35)) {
            fuel -= 1;
            for i7 in 1..=c % 4 {
                y -= (c % 16);
                if 5 < x {
                    return (y % 31) - a;
                }
                y -= 4;
            }
            x = 0;
        }
        return (y % 33) * (c % 33);
    }
    fn program_003(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = a + 1;
        let mut y = c.clone();
        if b > (b % 32) && c + 6 <= y {
            return c.clone();
        }
        if b < 0 && (a % 5 == 2 || a < 4) {
            return 8;
        }
        let v1 = x + (a % 33);
        c
    }
    fn program_004(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = (c + 2) % 90;
        let mut y = a.clone();
        match a % 7 {
            0 if !(c > a) => {
                'l1: loop {
                    fuel -= 1;
                    if fuel <= 0 {
                        break;
                    }
                    y -= (y % 31);
                    let p2 = x != (c % 41) && !(y > b);
                    if b % 5 == 0 {
                        break 'l1;
                    }
                    y %= 16;
                }
                match c % 3 {
                    -2..1 => {
                        graph_print!("g3 {x}");
                    }
                    _ => {
                        y /= 8;
                    }
                }
            }
            _ => {
                y -= (x % 27);
            }
        }
        x += 1;
        b
    }
    fn program_005(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = c - 8;
        let mut y = tensor(3);
        while fuel > 0 && !(c > a) {
            fuel -= 1;
            loop {
                fuel -= 1;
                if fuel <= 0 {
                    break;
                }
                x += (y % 21);
                y = 0;
            }
            if !(y <= 7 && x != 0) {
                break;
            }
            x %= 24;
        }
        while fuel > 0 && b % 2 == 2 {
            fuel -= 1;
            let v2;
            if b % 3 == 0 {
                y += (y % 39);
                v2 = c.clone();
            } else {
                x -= (x % 13);
                v2 = -a - (y % 7);
            }
            x = (b % 13) * (b % 25);
        }
        y += (y % 2);
        return (y + 1) % 120;
    }
    fn program_006(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = 7 - b;
        let mut y = c.clone();
        y = a / 4 + (y % 18);
        let h1 = |v2: Int| if v2 > 4 { v2 - 4 } else { y / 4 + 2 };
        let c = h1(1 - x);
        return x + (b % 30);
    }
    fn program_007(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = c.clone();
        let mut y = tensor(-6);
        while fuel > 0 && a < (c % 39) {
            fuel -= 1;
            while fuel > 0 && x >= b && x == 5 {
                fuel -= 1;
                x = c.clone();
            }
        }
        match c {
            -3..2 if b >= x => {
                let v1 = if !(c > y) {
                    let v2 = b + (a % 10);
                    y + 8
                } else {
                    y -= (a % 11);
                    -a - 3
                };
            }
            _ => {
                y += 9;
            }
        }
        y = (b + 2) % 90;
        x + y % 1000
    }
    fn program_008(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = -c - (c % 24);
        let mut y = c + 4;
        while fuel > 0 && { graph_print!("q1 {}", x); x > 6 } {
            fuel -= 1;
            for e2 in [b.clone(), (b + (c % 2)) % 90] {
                y = tensor(10);
            }
            if 3 < c || a + 9 <= y {
                break;
            }
            x = 3 - x;
        }
        for e3 in [b.clone(), (y + 7) % 70] {
            if c >= c {
                return 5 - a;
            }
            for i4 in 0..2 {
                x = y.clone();
            }
            y = 0;
            if x % 2 == 1 {
                continue;
            }
            y += 9;
        }
        y -= 0;
        if x > 4 && a + 1 <= a { b } else { (b % 9) - y }
    }
    fn program_009(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = (c % 15) * (b % 35) - (a % 27);
        let mut y = x - (b % 18);
        let mut v1 = 'l2: {
            if !(c % 3 == 2 && c < (y % 11)) {
                break 'l2 a - (y % 9);
            }
            while fuel > 0 && 5 < c && y >= a {
                fuel -= 1;
                let p3 = 7 < b;
                y = b - 2;
                (y, x) = (x / 3 + 4, y.clone());
                if !(b > b) {
                    continue;
                }
                y = tensor(-6);
            }
            (b % 38) * 4 - (b % 17)
        };
        let h5 = |v6: Int| if v6 > 1 { v6 - 1 } else { b + 1 };
        let v4 = h5(x + (c % 18));
        x + y % 1000
    }
    fn program_010(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = b.clone();
        let mut y = (x % 15) * 7 - (x % 20);
        if !(x % 3 == 2 && x >= 9) {
            return (c % 38) * (y % 7);
        }
        'l1: while fuel > 0 && a >= a && x % 5 == 2 {
            fuel -= 1;
            let v2 = 'l3: {
                if 7 < c && 3 < c {
                    break 'l3 a.clone();
                }
                x = c / 4 + (x % 29);
                -b - (x % 33)
            };
            if !(b + (b % 7) <= a && v2 >= a) {
                break 'l1;
            }
            y = tensor(8);
        }
        x + y % 1000
    }
    fn program_011(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = -c - 4;
        let mut y = tensor(-7);
        while true {
            fuel -= 1;
            if fuel <= 0 {
                break;
            }
            'l1: while fuel > 0 && y >= y {
                fuel -= 1;
                x = a.clone();
                (y, x) = (1 - x, y / 4 + 4);
                y = (y % 36) * 1;
            }
            let a = 'l2: {
                if x + (a % 38) <= c {
                    break 'l2 (c % 33) * 1;
                }
                x = 0;
                y + (c % 6)
            };
            if b + (x % 36) <= x {
                break;
            }
            x += 3;
        }
        y -= 2;
        x + y % 1000
    }
    fn program_012(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = tensor(-4);
        let mut y = -b - 7;
        match x % 4 {
            -2..1 => {
                while fuel > 0 && { graph_print!("q1 {}", y); y > 8 } && y <= 3 {
                    fuel -= 1;
                    y += (c % 39);
                }
            }
            -3..2 if a != (a % 2) => {
                for e2 in [y.clone(), b.clone()] {
                    x /= 17;
                    y += (c % 7);
                    y += (c % 38);
                }
            }
            _ => {
                x %= 3;
            }
        }
        x /= 9;
        x
    }
    fn program_013(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = a.clone();
        let mut y = b / 3 + 6;
        x %= 5;
        match y % 3 {
            1 | 3 => {
                while fuel > 0 && c > (c % 19) {
                    fuel -= 1;
                    let h2 = |v3: Int| -> Int {
                        if v3 < 1 {
                            return v3 * 2;
                        }
                        (a + 6) % 70
                    };
                    let v1 = h2(c - (b % 23));
                    if x == (c % 17) {
                        y = (y % 41) * 9;
                        y += (a % 33);
                        return (b + 0) % 100;
                    }
                }
                return c - (y % 5);
            }
            _ => {
                y = a.clone();
            }
        }
        y = tensor(7);
        x + y % 1000
    }
    fn program_014(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = b - (a % 16);
        let mut y = (a % 12) - b;
        for e1 in [tensor(5), b / 6 + 4] {
            let (v2, mut v3) = (c / 5 + 1, e1.clone());
            for i4 in (0..b % 3).rev() {
                x /= 27;
                let mut v5 = -e1 - (c % 39);
            }
            match v2 {
                4 if x >= x => {
                    y = -a - 0;
                }
                3 if b % 5 == 2 => {
                    v3 -= 9;
                }
                0..=2 => {
                    y += 6;
                }
                _ => {
                    x -= (a % 19);
                    return (c % 7) - b;
                }
            }
        }
        y /= 11;
        if b < (x % 26) { -a - (x % 27) } else { (y % 37) - x }
    }
    fn program_015(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = b.clone();
        let mut y = x.clone();
        'l1: while fuel > 0 && a % 5 == 2 {
            fuel -= 1;
            x -= 1;
            let mut v2 = if 0 < c {
                x = (c % 11) * 2;
                (b % 2) - a
            } else {
                let p3 = b >= b && c < 0;
                y + 6
            };
            let (v4, mut v5) = (b.clone(), (b % 16) * 4 - (c % 27));
            if c >= 4 {
                break 'l1;
            }
            y = tensor(10);
        }
        x -= 5;
        if a == (y % 2) { (a + (x % 33)) % 70 } else { y - 4 }
    }
    fn program_016(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = c / 7 + (c % 16);
        let mut y = c.clone();
        'l1: while true {
            fuel -= 1;
            if fuel <= 0 {
                break;
            }
            match a {
                -5..4 => {
                    (x, y) = (-c - (y % 19), b - (x % 17));
                }
                -1..0 if !(x > (c % 7) && { graph_print!("q2 {}", c); c > 8 }) => {
                    graph_print!("g3 {} {}", c, (a % 16) - y);
                    continue 'l1;
                }
                _ => {
                    x /= 6;
                    let (v4, mut v5) = ((a % 21) * 8 - (c % 9), (a + 3) % 90);
                }
            }
            y = c - 4;
        }
        y %= 21;
        x + y % 1000
    }
}
