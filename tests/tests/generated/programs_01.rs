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
        let mut x = 4i32 - a;
        let mut y = tensor(4);
        for i1 in (0..1).rev() {
            if b >= b {
                return 1;
            }
            let p2 = !(y > x);
            if p2 && x % 4 == 1 {
                while fuel > 0 && b + 1 <= a {
                    fuel -= 1;
                    x = a / 7 + i1;
                }
                y = (c + (x % 40)) % 70;
            }
        }
        y -= 6;
        x
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
                if a % 3 == 1 && x % 4 == 0 {
                    return 2i32 - a;
                }
                x = a.clone();
            }
            x -= 0;
            if x >= (c % 41) {
                break 'l5;
            }
            y = (b + 1) % 80;
        }
        a
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
        let mut x = x + (a % 33);
        return b - 7;
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
        let mut x = 5i32 - b;
        let mut y = (x % 7) * 1 - (c % 41);
        if !(a > 3 && x % 2 == 0) {
            let mut v1 = if b < (y % 34) || a > 4 {
                loop {
                    fuel -= 1;
                    if fuel <= 0 {
                        break;
                    }
                    let p2 = !(y != 2 && y > 4);
                    y += 2;
                }
                x / 5 + 6
            } else {
                let h4 = |v5: Int| if v5 > 5 { v5 - 5 } else { x - (b % 17) };
                let mut v3 = h4(x - (y % 28));
                return (v3 % 39) * 3 - (v3 % 11)
            };
            x += (x % 35);
        } else {
            y += 2;
        }
        x = (b % 13) * 4 - (b % 21);
        x + y % 1000
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
            x = 2i32 - x;
        }
        for i3 in y - 1..y + 3 {
            y += 4;
            if b >= a && i3 != 9 {
                continue;
            }
            x += (y % 8);
        }
        let (v4, mut v5) = ((a % 7) - c, (x % 3) * 8);
        x /= 3;
        x + y % 1000
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
                (x, y) = ((y % 4) - x, tensor(5));
                y -= 0;
            }
            if y % 5 == 2 && (b >= a || c == (x % 22)) {
                x /= 3;
                break;
            }
            if c >= 8 {
                return y / 6 + 2;
            }
            x = (b % 39) - a;
        }
        y = (x % 33) * (c % 28);
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
                    let a = match c % 4 {
                        4 | 6 => return c.clone(),
                        _ => c + (a % 29),
                    };
                    y -= 3;
                }
            }
            _ => {
                'l1: while fuel > 0 && c + 3 <= y {
                    fuel -= 1;
                    x = 0;
                    if a % 3 == 2 || a != 3 {
                        break 'l1;
                    }
                    x = (a % 21) * (b % 29) - (c % 18);
                }
                x += 2;
            }
        }
        x += 2;
        x + y % 1000
    }
    fn program_014(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = b - (a % 16);
        let mut y = 7i32 - b;
        'l1: for i2 in 0..2 {
            while fuel > 0 && c <= 1 && c >= b {
                fuel -= 1;
                for i3 in 1..=x % 5 {
                    let mut c = a.clone();
                }
                'l4: for i5 in 0..x % 4 {
                    y = 5i32 - y;
                    y -= 1;
                    if i2 < 2 {
                        break 'l1;
                    }
                    x += 6;
                }
                y = (a % 18) * 6 - (b % 13);
            }
        }
        x /= 19;
        x
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
                6i32 - a
            } else {
                x %= 4;
                continue 'l1
            };
            while fuel > 0 && a < 4 {
                fuel -= 1;
                y = b.clone();
                if !(c >= x && x > 2) {
                    break;
                }
                v2 %= 11;
            }
        }
        y = b + (y % 22);
        return (a + 9) % 110;
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
                    graph_print!("g3 {} {}", c, 4i32 - y);
                }
                _ => {
                    y += (c % 16);
                    let (v4, mut v5) = ((a % 21) * 8 - (c % 9), (a + 3) % 90);
                }
            }
            y = c - 4;
        }
        y %= 21;
        x + y % 1000
    }
}
