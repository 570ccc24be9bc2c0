//! Random programs, written by `cargo run -p graph-tests --bin generate_programs`: change that, not this.

super::programs! {
    fn program_160(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = b + (a % 15);
        let mut y = b / 5 + (a % 13);
        while fuel > 0 && { graph_print!("q1 {}", c); c > 0 } {
            fuel -= 1;
            for i2 in 0..2 {
                graph_print!("g3 {} {}", b, x / 2 + (y % 27));
                (x, y) = (tensor(0), -c - 8);
            }
            for i4 in 0..b % 5 {
                y += 4;
                x += (c % 7);
            }
        }
        y %= 8;
        x + y % 1000
    }
    fn program_161(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = (b % 32) * 8;
        let mut y = x.clone();
        while fuel > 0 && (x <= 2 && (a > (x % 37) || a % 2 == 1)) {
            fuel -= 1;
            if c < (c % 29) || x >= a {
                for i1 in 1..=3 {
                    let p2 = !(y > a);
                    if !(y > a) || { graph_print!("q3 {}", x); x > 2 } {
                        return (a + (a % 3)) % 100;
                    }
                    y -= i1;
                }
                let mut k4 = 0;
                while k4 < 3 {
                    k4 += 1;
                    y += (a % 34);
                }
            } else {
                y %= 30;
            }
            if c == 9 && (y >= y || c >= 0) {
                break;
            }
            x = y + (c % 9);
        }
        y = a.clone();
        a
    }
    fn program_162(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = (a + 7) % 70;
        let mut y = x + (a % 9);
        for i1 in (0..c % 4).rev() {
            if !(x > x) {
                let (v2, mut v3) = (c - 1, (i1 + (b % 24)) % 100);
            } else if !(y < 4 && c % 4 == 2) {
                y += (x % 39);
            }
            if a <= (i1 % 26) {
                break;
            }
            x -= 9;
        }
        'l4: while fuel > 0 && !(x + 2 <= x && x >= c) {
            fuel -= 1;
            let mut k5 = 0;
            while k5 < 2 {
                k5 += 1;
                y = 0;
            }
        }
        x = (y % 29) * 4;
        y
    }
    fn program_163(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = c.clone();
        let mut y = (b % 40) * 4;
        while fuel > 0 && y % 4 == 0 {
            fuel -= 1;
            match c % 5 {
                -5..4 => {
                    graph_print!("g1 {a}");
                }
                3..=5 => {
                    (y, x) = (tensor(-9), c + 5);
                    x -= 2;
                }
                4 | 6 => {
                    y /= 20;
                }
                _ => {
                    y += (c % 4);
                }
            }
            x -= 3;
            if !(y % 2 == 0 && y < 3) {
                return 1;
            }
            y = tensor(3);
        }
        x += 4;
        x + y % 1000
    }
    fn program_164(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = a.clone();
        let mut y = x.clone();
        while fuel > 0 && x != (c % 26) {
            fuel -= 1;
            if c >= c {
                x = (x % 17) * 4 - (x % 7);
                graph_print!("g1 {c}");
            } else {
                let p2 = !(a > c);
            }
            if !(a <= 5 && b % 3 == 1) {
                continue;
            }
            x %= 16;
        }
        for e3 in [a.clone(), tensor(-8)] {
            x += 4;
        }
        x + y % 1000
    }
    fn program_165(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = (a + 0) % 120;
        let mut y = tensor(3);
        while fuel > 0 && (b != 0 || b < 1) {
            fuel -= 1;
            loop {
                fuel -= 1;
                if fuel <= 0 {
                    break;
                }
                y = (b % 16) * 4 - (a % 13);
            }
            'l1: while fuel > 0 && b % 3 == 1 && y == (c % 25) {
                fuel -= 1;
                x -= 5;
                graph_print!("g2 {a}");
            }
            y = (b % 34) - y;
            if a <= 4 && x != (c % 6) {
                break;
            }
            y -= (b % 27);
        }
        y = 4i32 - a;
        return (b % 4) * 3 - (x % 36);
    }
    fn program_166(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = tensor(-1);
        let mut y = c + 1;
        if a % 4 == 1 || y > (b % 12) {
            let v2;
            if y >= a && x < (a % 20) {
                if { graph_print!("q3 {}", c); c > 7 } && a % 3 == 0 {
                    y -= 2;
                    return c / 2 + 2;
                } else if c >= x {
                    graph_print!("g4 {} {}", y, (y % 14) - y);
                    y %= 12;
                } else {
                    x = b / 3 + 8;
                }
                v2 = y.clone();
            } else {
                y = (b + 1) % 80;
                v2 = c.clone();
            }
            y += 8;
        }
        y /= 7;
        if c >= y && a % 2 == 2 { -4 } else { (a % 23) * 4 - (y % 19) }
    }
    fn program_167(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = c + 4;
        let mut y = a.clone();
        let mut a = if !(c > c) {
            let mut v1 = if !(b > y) && c + 3 <= y { y + 3 } else { (b % 3) - x };
            (x % 19) * 4
        } else {
            let mut b = {
                y %= 18;
                (x % 5) * (b % 41)
            };
            return tensor(-8)
        };
        'l2: for i3 in 1..=3 {
            while fuel > 0 && y >= a {
                fuel -= 1;
                a = tensor(9);
                if b >= (y % 12) && { graph_print!("q4 {}", a); a > 6 } {
                    continue;
                }
                x = 0;
            }
            x -= (c % 27);
            if y >= y {
                break 'l2;
            }
            a -= 4;
        }
        a /= 23;
        x + y % 1000
    }
    fn program_168(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = b.clone();
        let mut y = x.clone();
        for i1 in (c % 3..c % 3 + 2).step_by(2) {
            x /= 21;
            'l2: for i3 in 1..=c % 3 {
                y = a + 8;
                x = (i1 % 8) * (i1 % 30);
                x = i3 + (a % 6);
                if a >= (i1 % 25) {
                    return 7i32 - x;
                }
                x = b + 5;
            }
            if !(c > b) && y != (b % 28) {
                break;
            }
            x -= 3;
        }
        y = (a % 8) * (a % 30);
        return (y % 35) * (y % 25);
    }
    fn program_169(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = tensor(6);
        let mut y = x - 7;
        while fuel > 0 && !(a == (c % 14) && x + 9 <= x) {
            fuel -= 1;
            if { graph_print!("q1 {}", b); b > 6 } && a + (y % 17) <= c {
                return tensor(-8);
            }
            if b + 4 <= y && (x >= (b % 37) || b > 2) {
                return (c % 8) - b;
            }
        }
        let b = tensor(-9);
        if a >= x {
            return (x % 41) * 3;
        }
        let mut k2 = 0;
        while k2 < 3 {
            k2 += 1;
            y = (b + (c % 40)) % 110;
        }
        c
    }
    fn program_170(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = (a % 34) - b;
        let mut y = tensor(3);
        let mut c = 'l1: {
            if x <= 2 && a % 3 == 1 {
                break 'l1 (y % 38) * (b % 13) - (x % 40);
            }
            let mut a = match a % 6 {
                0 | 2 if y >= b && x + 6 <= b => a,
                2..=4 if y >= x || b != 4 => b,
                1 | 3 => return x.clone(),
                n if n > 4 => n - 4,
                n => n + 1,
            };
            (y + (a % 38)) % 90
        };
        match a {
            4..=6 if a >= (x % 30) => {
                if !(a > b) {
                    let mut k2 = 0;
                    while k2 < 2 {
                        k2 += 1;
                        x -= 7;
                        x += 5;
                    }
                    y %= 31;
                    return 4;
                } else {
                    y = (x + 1) % 120;
                }
                x = tensor(-3);
            }
            -4..3 => {
                x = b + (x % 23);
            }
            _ => {
                c %= 7;
            }
        }
        c = 4i32 - x;
        if { graph_print!("q3 {}", a); a > 5 } && ({ graph_print!("q4 {}", a); a > 3 } || y >= (c % 18)) { y } else { a / 7 + (y % 22) }
    }
    fn program_171(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = b + 9;
        let mut y = a.clone();
        let v1 = {
            let mut k2 = 0;
            while k2 < 3 {
                k2 += 1;
                for i3 in 0..y % 2 {
                    let (v4, mut v5) = (b.clone(), i3.clone());
                    let mut v6 = v4 + k2;
                }
            }
            b + 7
        };
        'l7: for i8 in (0..1).rev() {
            x = (c % 10) * 5 - (b % 21);
        }
        y %= 10;
        if c <= 0 { c - 5 } else { y + 2 }
    }
    fn program_172(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = (a % 37) * 0;
        let mut y = b.clone();
        if a >= a && x % 5 == 2 {
            match a % 5 {
                -4 => {
                    x = -y - 6;
                }
                1 => {
                    x += 7;
                }
                _ => {
                    y = tensor(9);
                    let mut v1 = y + 4;
                }
            }
        }
        x = x / 2 + 2;
        x + y % 1000
    }
    fn program_173(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = 4i32 - b;
        let mut y = x - 7;
        x %= 28;
        y /= 26;
        let v1 = if y != (a % 30) {
            graph_print!("g2 {c}");
            (y % 19) * 6 - (c % 2)
        } else {
            if a >= b {
                x -= (b % 29);
                x = c.clone();
            } else {
                y %= 31;
            }
            b + 2
        };
        x = 0;
        x + y % 1000
    }
    fn program_174(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = a.clone();
        let mut y = (x % 4) * 2;
        let mut k1 = 0;
        while k1 < 2 {
            k1 += 1;
            let mut v2 = match c {
                3 => c,
                -4..3 if k1 < 1 => 7,
                n if n > 2 => n - 2,
                n => n + 1,
            };
            match c % 5 {
                1..=3 => {
                    graph_print!("g3 {c}");
                }
                4 | 6 if y >= k1 => {
                    let (v4, mut v5) = (y.clone(), (a % 23) * 9 - (y % 20));
                }
                -1 if c + 1 <= c => {
                    let (v6, mut v7) = (y.clone(), v2 - (y % 35));
                    x += (v7 % 18);
                }
                _ => {
                    v2 = c.clone();
                }
            }
        }
        x = tensor(-2);
        if x % 3 == 2 { x + 2 } else { x + 3 }
    }
    fn program_175(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = (b % 21) * 2;
        let mut y = (x % 25) * (c % 37) - (a % 18);
        for i1 in c - 1..c + 3 {
            match i1 % 3 {
                3 | 5 => {
                    y %= 2;
                    let (v2, mut v3) = (tensor(2), y.clone());
                }
                1 | 3 => {
                    y = x.clone();
                    break;
                }
                -3..2 if i1 <= (x % 5) => {
                    let p4 = y >= a;
                }
                _ => {
                    x = c - 2;
                }
            }
            y = 4i32 - y;
            if y > (a % 34) {
                continue;
            }
            x = c.clone();
        }
        y += 0;
        a
    }
}
