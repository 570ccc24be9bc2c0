//! Random programs, written by `cargo run -p graph-tests --bin generate_programs`: change that, not this.

super::programs! {
    fn program_034(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = (a % 2) * (c % 4) - (b % 23);
        let mut y = a + (c % 30);
        'l1: for i2 in 0..c % 4 {
            'l3: while fuel > 0 && a != (b % 39) {
                fuel -= 1;
                let (v4, mut v5) = (x + (c % 33), x / 5 + (a % 29));
            }
            if !(b > c) {
                y += 7;
                x = tensor(-5);
            } else {
                y %= 5;
            }
            if 1 < y {
                return y + (b % 16);
            }
            y = 3 - b;
        }
        y = b + 5;
        x + y % 1000
    }
    fn program_035(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = c.clone();
        let mut y = (a + (x % 31)) % 120;
        'l1: while fuel > 0 && !(x % 2 == 1 && y % 5 == 2) {
            fuel -= 1;
            let mut v2 = match c % 7 {
                -5 if b + 6 <= x && b >= y => 2,
                n if n > 1 => n - 1,
                n => n + 1,
            };
        }
        let mut v3 = (b + 3) % 100;
        let v4 = match x % 7 {
            -1..0 => 5 - c,
            1 | 3 if y == 4 => (x + (y % 5)) % 100,
            -3 if y % 3 == 2 => 0,
            _ => v3 + 7,
        };
        x + y % 1000
    }
    fn program_036(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = b / 5 + 4;
        let mut y = x - (b % 2);
        if b >= b {
            return a.clone();
        }
        while fuel > 0 && { graph_print!("q1 {}", b); b > 0 } {
            fuel -= 1;
            let v3;
            if !(!(b > x) && a == (c % 23)) {
                x = (a % 19) * (b % 16) - (y % 19);
                v3 = -y - (a % 30);
            } else {
                x = a.clone();
                v3 = 7 - b;
            }
            match a % 7 {
                4..=6 => {
                    x += (c % 13);
                }
                3 => {
                    y /= 25;
                }
                _ => {
                    y = tensor(5);
                    break;
                }
            }
            x %= 11;
            if x % 5 == 1 || v3 <= 0 {
                break;
            }
            x = b.clone();
        }
        y += 5;
        x + y % 1000
    }
    fn program_037(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = a + 7;
        let mut y = -x - 2;
        for i1 in (a % 3..a % 3 + 4).step_by(2) {
            loop {
                fuel -= 1;
                if fuel <= 0 {
                    break;
                }
                graph_print!("g2 {y}");
                y -= (c % 36);
            }
            loop {
                fuel -= 1;
                if fuel <= 0 {
                    break;
                }
                y = 0;
                y = x + 5;
                if { graph_print!("q3 {}", x); x > 4 } && ({ graph_print!("q4 {}", x); x > 4 } || b >= 5) {
                    break;
                }
                x = (c % 27) * 0;
            }
            x = (a + (y % 25)) % 100;
        }
        x += (y % 24);
        x + y % 1000
    }
    fn program_038(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = c.clone();
        let mut y = 0 - x;
        let mut k1 = 0;
        while k1 < 1 {
            k1 += 1;
            if c >= k1 {
                let p2 = x >= a;
            }
            let a = a + 9;
        }
        loop {
            fuel -= 1;
            if fuel <= 0 {
                break;
            }
            let p3 = b % 5 == 2 && b <= 2;
            y = (b + 8) % 120;
            if p3 && { graph_print!("q4 {}", y); y > 1 } {
                return (c % 25) * (a % 16);
            }
            y = b - 4;
        }
        x + y % 1000
    }
    fn program_039(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = (b + (b % 17)) % 100;
        let mut y = x.clone();
        graph_print!("g1 {} {}", y, (b + 2) % 120);
        if b + 9 <= x && (x == 3 || x <= 2) {
            match y % 4 {
                1 | 3 if { graph_print!("q2 {}", c); c > 1 } => {
                    graph_print!("g3 {} {}", y, (b % 19) * 4);
                }
                -4..3 => {
                    (y, x) = (y.clone(), (y % 17) * 1 - (x % 27));
                    let p4 = c >= c;
                }
                -5..4 => {
                    x -= 9;
                }
                _ => {
                    x = a.clone();
                    return 2;
                }
            }
        } else {
            x = 7 - x;
            return 5;
        }
        y += 2;
        return (b % 12) * (y % 15);
    }
    fn program_040(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = (c + 3) % 120;
        let mut y = a + 4;
        if !(c >= x && y > 4) {
            'l1: for i2 in (b % 3..b % 3 + 4).step_by(2) {
                let p3 = { graph_print!("q4 {}", y); y > 8 };
                loop {
                    fuel -= 1;
                    if fuel <= 0 {
                        break;
                    }
                    y -= 3;
                    let (v5, mut v6) = (i2.clone(), y + (c % 38));
                }
            }
        } else {
            y = (a + 9) % 80;
        }
        y = 1 - b;
        return b + 2;
    }
    fn program_041(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = -b - (c % 4);
        let mut y = a + 4;
        while fuel > 0 && { graph_print!("q1 {}", y); y > 8 } {
            fuel -= 1;
            for i2 in 0..2 {
                let mut v3 = if c % 4 == 0 {
                    let x = b + 8;
                    b + 3
                } else {
                    let p4 = y % 4 == 0 || b <= (a % 28);
                    -a - (y % 8)
                };
                while true {
                    fuel -= 1;
                    if fuel <= 0 {
                        break;
                    }
                    v3 = b + (v3 % 23);
                }
                if x >= b && a == (x % 14) {
                    continue;
                }
                y -= 6;
            }
            y += (b % 25);
            if 7 < a {
                continue;
            }
            y = y.clone();
        }
        y /= 28;
        a
    }
    fn program_042(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = b + 5;
        let mut y = tensor(9);
        'l1: while true {
            fuel -= 1;
            if fuel <= 0 {
                break;
            }
            let v2 = loop {
                fuel -= 1;
                if fuel <= 0 {
                    break tensor(-1);
                }
                let v3 = if y >= b && 1 < y { c } else { y / 4 + 7 };
                x = 4 - a;
            };
            'l4: for i5 in 0..b % 5 {
                let mut v6 = if a >= i5 {
                    y -= (b % 3);
                    y / 6 + (a % 38)
                } else {
                    x = 3 - y;
                    (b % 8) * (c % 28)
                };
                if v6 != (c % 23) {
                    continue 'l4;
                }
                v6 += 2;
            }
            y %= 2;
        }
        x = y + (x % 7);
        if x >= y { a } else { 0 - c }
    }
    fn program_043(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = a + 7;
        let mut y = b.clone();
        match c {
            4 if { graph_print!("q1 {}", y); y > 7 } || c <= (x % 37) => {
                match x % 4 {
                    2..=4 if c < (x % 39) => {
                        let (v2, mut v3) = (x.clone(), y.clone());
                        let p4 = x % 5 == 0;
                    }
                    _ => {
                        let v5 = tensor(6);
                    }
                }
            }
            -4 if !(4 < c && b > 5) => {
                while fuel > 0 && (!(a > a) || c % 5 == 2) {
                    fuel -= 1;
                    y += 2;
                }
            }
            _ => {
                x = tensor(3);
            }
        }
        y = x + 2;
        return b + 3;
    }
    fn program_044(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = (a % 9) * (a % 39);
        let mut y = a / 2 + 8;
        graph_print!("g1 {y}");
        let v2 = loop {
            fuel -= 1;
            if fuel <= 0 {
                break (a % 27) * (a % 32);
            }
            'l3: for i4 in 0..c % 3 {
                let mut v5 = y - 1;
                x = (a % 25) - i4;
            }
            'l6: while fuel > 0 && !(x > a) && y % 2 == 0 {
                fuel -= 1;
                y += (x % 37);
            }
        };
        return (a % 19) * (x % 23) - (x % 18);
    }
    fn program_045(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = (b % 38) * 4 - (c % 36);
        let mut y = (a % 34) * 4;
        match x % 4 {
            -2 if { graph_print!("q1 {}", c); c > 7 } => {
                if x >= x && 7 < y {
                    let h3 = |v4: Int| if v4 > 0 { v4 - 0 } else { -y - (a % 39) };
                    let mut v2 = h3((b % 40) * (x % 22) - (a % 8));
                    match a {
                        0..=2 => {
                            y = v2.clone();
                            y -= (x % 32);
                        }
                        3 => {
                            x = a + 0;
                        }
                        -1 => {
                            x /= 17;
                        }
                        _ => {
                            v2 %= 2;
                            return (a % 18) - v2;
                        }
                    }
                } else if b % 5 == 2 {
                    x -= 3;
                } else {
                    y = y.clone();
                }
            }
            _ => {
                y /= 30;
            }
        }
        x = 0;
        return (y % 28) * (a % 19);
    }
    fn program_046(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = (a % 13) * (a % 38) - (a % 41);
        let mut y = (x % 2) * 2;
        if c == 4 {
            return -x - (y % 15);
        }
        x = 0;
        'l1: while fuel > 0 && b <= 4 {
            fuel -= 1;
            let v2 = if a != 9 && ({ graph_print!("q3 {}", c); c > 5 } || y >= y) { (c % 17) * (a % 7) } else { (y % 13) * 4 - (x % 8) };
        }
        y
    }
    fn program_047(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = tensor(2);
        let mut y = 5 - x;
        match x {
            -1..0 => {
                let v1 = if !(y > b) && y % 3 == 0 {
                    y = c.clone();
                    (b + 1) % 70
                } else {
                    y /= 15;
                    (a + 4) % 100
                };
                if a >= 7 || { graph_print!("q2 {}", x); x > 2 } {
                    y = x.clone();
                } else if !(b % 2 == 1 && y < (c % 4)) {
                    y -= 2;
                } else {
                    x /= 20;
                    return (a % 21) - b;
                }
            }
            2..=4 => {
                y = 0;
            }
            _ => {
                y = b + 9;
            }
        }
        x = tensor(2);
        x + y % 1000
    }
    fn program_048(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = a.clone();
        let mut y = c.clone();
        graph_print!("g1 {c}");
        let x = loop {
            fuel -= 1;
            if fuel <= 0 {
                break a + (c % 26);
            }
            for i2 in x - 1..x + 1 {
                x -= (a % 37);
                y = x + (y % 6);
            }
            let v3 = loop {
                fuel -= 1;
                if fuel <= 0 {
                    break c + (c % 6);
                }
                x /= 20;
                if b % 5 == 1 {
                    continue;
                }
                y %= 16;
            };
            if !(c >= y && a + (c % 27) <= c) {
                break (c % 39) - a;
            }
            x -= (b % 31);
        };
        a
    }
}
