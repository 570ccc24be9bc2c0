//! Random programs, written by `cargo run -p graph-tests --bin generate_programs`: change that, not this.

super::programs! {
    fn program_288(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = tensor(-3);
        let mut y = c.clone();
        match y % 6 {
            3 | 5 => {
                for i1 in (y % 3..y % 3 + 3).step_by(2) {
                    loop {
                        fuel -= 1;
                        if fuel <= 0 {
                            break;
                        }
                        y %= 14;
                    }
                    'l2: while fuel > 0 && x > (a % 32) {
                        fuel -= 1;
                        graph_print!("g3 {x}");
                        x = tensor(1);
                        if !(y > a) {
                            break 'l2;
                        }
                        y = y.clone();
                    }
                    y = i1.clone();
                    if !(a >= c && c % 3 == 0) {
                        continue;
                    }
                    x -= (a % 9);
                }
                return -x - 9;
            }
            2 => {
                y = (c % 22) * 9 - (x % 27);
            }
            _ => {
                x += (c % 32);
            }
        }
        y = -b - (a % 16);
        x + y % 1000
    }
    fn program_289(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = b + 1;
        let mut y = -c - 3;
        let v1 = match y % 5 {
            2..=4 => (y % 27) * (a % 8) - (b % 27),
            0 | 2 => b,
            n if n > 7 => n - 7,
            n => n + 1,
        };
        for e2 in [(x + 2) % 110, (x % 33) - x] {
            let p3 = e2 % 3 == 1;
        }
        x + y % 1000
    }
    fn program_290(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = (a % 7) * (b % 15) - (b % 22);
        let mut y = tensor(-8);
        match c % 3 {
            3..=5 => {
                let mut v1 = {
                    for e2 in [x.clone(), (c % 39) * (x % 27)] {
                        let p3 = a < 7 && !(e2 > x);
                        graph_print!("g4 {y}");
                        graph_print!("g5 {} {}", b, y + (x % 25));
                    }
                    (a + (y % 14)) % 70
                };
                y -= (x % 13);
            }
            4 => {
                y /= 9;
                return y.clone();
            }
            _ => {
                y %= 27;
                return y.clone();
            }
        }
        y += 4;
        x + y % 1000
    }
    fn program_291(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = (a % 32) * 2;
        let mut y = (a % 26) * 4;
        let mut v1 = {
            loop {
                fuel -= 1;
                if fuel <= 0 {
                    break;
                }
                let mut v2 = y.clone();
            }
            (a % 22) * (a % 32)
        };
        if c > (y % 14) && (0 < a || a != 7) {
            return 3;
        }
        let v3 = v1 + 2;
        y = (y % 19) * (b % 8);
        x + y % 1000
    }
    fn program_292(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = (a + (a % 34)) % 90;
        let mut y = c + (b % 24);
        for i1 in (0..b % 4).rev() {
            while true {
                fuel -= 1;
                if fuel <= 0 {
                    break;
                }
                for i2 in (0..i1 % 3).rev() {
                    let v3 = -y - 3;
                    x /= 21;
                    y %= 25;
                }
                y = (i1 % 19) * 1 - (a % 10);
                if y % 3 == 2 {
                    continue;
                }
                y = y.clone();
            }
            y -= (a % 30);
            if y == (b % 41) && 7 < c {
                return 5;
            }
            x -= (i1 % 5);
        }
        x += (c % 21);
        if b + (b % 24) <= c { (y + (b % 39)) % 120 } else { c - 6 }
    }
    fn program_293(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = tensor(-1);
        let mut y = c.clone();
        while fuel > 0 && (c >= a || b <= (x % 12)) {
            fuel -= 1;
            x /= 26;
            if b % 3 == 0 {
                graph_print!("g1 {} {}", y, x - 0);
                continue;
            }
            if a % 5 == 0 && 5 < a {
                continue;
            }
            x = y.clone();
        }
        if c + 4 <= a {
            if a > (c % 23) {
                y = tensor(3);
                return (a % 6) - x;
            }
            x = -y - (a % 11);
        }
        x = -x - 6;
        y
    }
    fn program_294(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = (c % 37) * 2 - (b % 33);
        let mut y = b.clone();
        let h2 = |v3: Int| -> Int {
            if v3 < 0 {
                return v3 * 2;
            }
            (b % 11) * (b % 18)
        };
        let mut v1 = h2(a - 1);
        while true {
            fuel -= 1;
            if fuel <= 0 {
                break;
            }
            for e4 in [x / 6 + (y % 41), (v1 % 24) - c] {
                while true {
                    fuel -= 1;
                    if fuel <= 0 {
                        break;
                    }
                    graph_print!("g5 {} {}", b, y + (x % 18));
                }
                if x == 9 {
                    v1 = a.clone();
                }
                if { graph_print!("q6 {}", y); y > 8 } {
                    continue;
                }
                y = 0;
            }
            v1 -= (b % 25);
        }
        v1 = (c + (y % 35)) % 100;
        if v1 % 5 == 2 || x + 2 <= a { -y - 4 } else { c + (y % 17) }
    }
    fn program_295(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = a + 1;
        let mut y = a.clone();
        if b % 2 == 2 && (1 < y || y + 0 <= y) {
            loop {
                fuel -= 1;
                if fuel <= 0 {
                    break;
                }
                let p1 = !(b >= y && a % 5 == 0);
            }
        }
        let h3 = |v4: Int| if v4 > 5 { v4 - 5 } else { x + (b % 26) };
        let v2 = h3((b % 28) * (a % 16));
        y
    }
    fn program_296(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = b.clone();
        let mut y = 2i32 - c;
        loop {
            fuel -= 1;
            if fuel <= 0 {
                break;
            }
            x -= (a % 9);
            for e1 in [(y % 26) * (c % 12), b + 6] {
                graph_print!("g2 {a}");
            }
            if y < (y % 5) {
                x = b.clone();
                continue;
            }
        }
        y = b / 7 + (b % 7);
        y
    }
    fn program_297(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = a + 2;
        let mut y = tensor(-3);
        for e1 in [-x - 0, a.clone()] {
            if x != (e1 % 40) && (e1 % 4 == 0 || c % 2 == 2) {
                (y, x) = ((c % 4) * 3, tensor(4));
                x += 9;
                break;
            }
            for e2 in [(c % 12) * 3, y + (a % 28)] {
                (x, y) = ((e2 % 5) - y, a / 7 + 2);
                if x >= x {
                    continue;
                }
                y += 0;
            }
        }
        x -= (a % 41);
        x + y % 1000
    }
    fn program_298(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = c + 7;
        let mut y = (a % 12) * (b % 30);
        match b % 6 {
            -1 if b >= c && b < 3 => {
                loop {
                    fuel -= 1;
                    if fuel <= 0 {
                        break;
                    }
                    let a = c - 5;
                    let mut v1 = a - 1;
                    x = x.clone();
                }
            }
            _ => {
                while true {
                    fuel -= 1;
                    if fuel <= 0 {
                        break;
                    }
                    x = 3i32 - x;
                }
                return y.clone();
            }
        }
        x = -c - (c % 27);
        x + y % 1000
    }
    fn program_299(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = a.clone();
        let mut y = 2i32 - b;
        'l1: for i2 in (0..2).rev() {
            if a > 8 {
                x %= 22;
                y += 9;
            }
            if a == (a % 2) {
                continue 'l1;
            }
            y -= (a % 26);
        }
        for i3 in (0..c % 3).rev() {
            let p4 = !(a > 6 && i3 % 2 == 2);
        }
        c
    }
    fn program_300(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = (b % 33) * 2;
        let mut y = (c + (x % 13)) % 110;
        let b = 'l1: {
            if 8 < a {
                break 'l1 x.clone();
            }
            if y + (x % 40) <= c {
                y = y + (c % 8);
            }
            y + 3
        };
        let (v2, mut v3) = (c.clone(), -x - 1);
        let mut k4 = 0;
        while k4 < 2 {
            k4 += 1;
            let v5 = loop {
                fuel -= 1;
                if fuel <= 0 {
                    break b - (v2 % 37);
                }
                v3 /= 26;
            };
            y -= k4;
        }
        x = v3 + (c % 7);
        x + y % 1000
    }
    fn program_301(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = (a % 4) * (a % 18) - (b % 34);
        let mut y = c / 6 + 0;
        y = b - 6;
        while fuel > 0 && x % 3 == 2 {
            fuel -= 1;
            'l1: for i2 in 0..y % 3 {
                'l3: loop {
                    fuel -= 1;
                    if fuel <= 0 {
                        break;
                    }
                    graph_print!("g4 {} {}", y, b + 8);
                    x = 7i32 - y;
                }
                if y == 1 {
                    return 4;
                }
                x /= 17;
            }
            x += (x % 38);
            if y >= c && (!(b > c) || x <= 6) {
                continue;
            }
            x += (c % 30);
        }
        y = y / 2 + 4;
        if c >= a || c >= 3 { x } else { (y % 13) * (x % 2) - (y % 39) }
    }
    fn program_302(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = (b + 4) % 90;
        let mut y = x.clone();
        let v1 = loop {
            fuel -= 1;
            if fuel <= 0 {
                break b.clone();
            }
            'l2: loop {
                fuel -= 1;
                if fuel <= 0 {
                    break;
                }
                let v4;
                if c + 3 <= a {
                    let p5 = b == 2;
                    v4 = (c % 19) * (b % 25) - (c % 2);
                } else {
                    x %= 11;
                    v4 = y / 6 + 1;
                }
                let v7;
                if c >= (c % 5) {
                    y += (b % 21);
                    v7 = tensor(-4);
                } else {
                    x %= 20;
                    v7 = (x % 38) - v4;
                }
                x -= 4;
            }
            x %= 24;
            if x >= c {
                return b - (a % 32);
            }
            y -= (a % 31);
        };
        y = (v1 + 7) % 110;
        x + y % 1000
    }
    fn program_303(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = (c % 6) * 9;
        let mut y = (a % 34) - c;
        let mut v1 = {
            let mut k2 = 0;
            while k2 < 2 {
                k2 += 1;
                graph_print!("g3 {} {}", c, x + k2);
            }
            c + (b % 29)
        };
        while fuel > 0 && y > 3 {
            fuel -= 1;
            match x {
                4 if c == (v1 % 13) => {
                    let p4 = v1 != (v1 % 3);
                }
                _ => {
                    x = x + 4;
                    continue;
                }
            }
            if x % 3 == 1 {
                break;
            }
            x %= 5;
        }
        v1 += 1;
        v1
    }
}
