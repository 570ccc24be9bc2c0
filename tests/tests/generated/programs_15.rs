//! Random programs, written by `cargo run -p graph-tests --bin generate_programs`: change that, not this.

super::programs! {
    fn program_230(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = c / 2 + 5;
        let mut y = tensor(6);
        for i1 in (0..b % 2).rev() {
            while fuel > 0 && b % 3 == 1 {
                fuel -= 1;
                y /= 16;
            }
            loop {
                fuel -= 1;
                if fuel <= 0 {
                    break;
                }
                x = i1 + (c % 10);
            }
            if a >= b {
                break;
            }
            x /= 27;
        }
        let v2 = {
            y -= (x % 22);
            c + 0
        };
        y = y + (y % 18);
        x + y % 1000
    }
    fn program_231(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = -b - 2;
        let mut y = (c + 6) % 120;
        y = (y + (b % 34)) % 90;
        match c % 6 {
            3 | 5 if b + (a % 18) <= y => {
                if x != (a % 6) && x <= 2 {
                    for i1 in 1..=1 {
                        graph_print!("g2 {b}");
                        y = (x % 36) * 5;
                        x = a - i1;
                    }
                } else {
                    y = 0;
                    return b.clone();
                }
                y += (y % 4);
            }
            1 if b + 4 <= y && !(x > b) => {
                x += 2;
            }
            _ => {
                x -= 8;
            }
        }
        y += 2;
        x + y % 1000
    }
    fn program_232(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = c.clone();
        let mut y = c.clone();
        if !(a > y) {
            let v1 = match x {
                -5 => return 5,
                -1..0 if !(b > a) && y > 2 => return (y + (y % 36)) % 80,
                n if n > 1 => n - 1,
                n => n + 1,
            };
            if x > (v1 % 33) {
                if 1 < c {
                    x -= 4;
                } else {
                    (x, y) = (a + (a % 4), tensor(-5));
                    return x - 1;
                }
                return tensor(-7);
            } else {
                x %= 26;
            }
        } else {
            y /= 14;
        }
        y = (y % 29) * 4 - (x % 35);
        if y >= a { y - 3 } else { c + 3 }
    }
    fn program_233(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = (b % 32) * (c % 29);
        let mut y = tensor(0);
        while true {
            fuel -= 1;
            if fuel <= 0 {
                break;
            }
            for i1 in 0..x % 5 {
                if a % 2 == 1 {
                    y /= 27;
                }
                let v2 = 'l3: {
                    if { graph_print!("q4 {}", x); x > 5 } {
                        break 'l3 y / 6 + 3;
                    }
                    let p5 = b < 9;
                    (b + (c % 18)) % 110
                };
                y = b.clone();
                if a + 2 <= c && b % 3 == 2 {
                    break;
                }
                x = (i1 % 28) * 1;
            }
            x = 0;
            if y > 1 {
                break;
            }
            y += (y % 25);
        }
        y = (b % 31) - a;
        x + y % 1000
    }
    fn program_234(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = b + 7;
        let mut y = a + 7;
        if b % 3 == 1 {
            return tensor(-9);
        }
        let mut k1 = 0;
        while k1 < 1 {
            k1 += 1;
            for i2 in 1..=2 {
                x %= 16;
            }
            let mut k3 = 0;
            while k3 < 3 {
                k3 += 1;
                graph_print!("g4 {} {}", y, (c % 12) * 1);
                x += (y % 5);
            }
            y = c - (c % 32);
        }
        x + y % 1000
    }
    fn program_235(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = b + 3;
        let mut y = tensor(-4);
        let mut k1 = 0;
        while k1 < 2 {
            k1 += 1;
            if a >= a && a > (b % 8) {
                graph_print!("g2 {a}");
                let p3 = b >= (a % 17);
            } else {
                (x, y) = (7 - c, tensor(-5));
            }
        }
        while true {
            fuel -= 1;
            if fuel <= 0 {
                break;
            }
            x = b.clone();
            if x % 2 == 0 && (5 < y || b >= x) {
                break;
            }
            x %= 11;
        }
        return (a % 12) * 2;
    }
    fn program_236(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = c - (b % 21);
        let mut y = (b + 4) % 100;
        'l1: while fuel > 0 && (x + 6 <= x && (b % 5 == 0 || y % 4 == 2)) {
            fuel -= 1;
            'l2: while fuel > 0 && y >= y {
                fuel -= 1;
                x = (y % 15) * 3 - (c % 26);
                (y, x) = (x - 1, x.clone());
                y = a.clone();
            }
            for i3 in 1..=2 {
                x = tensor(-2);
                if !(y >= c && y + 1 <= c) {
                    return 0;
                }
                x = c / 4 + (x % 25);
            }
            y = c - (c % 16);
            if !(c > 6 && x >= c) {
                break 'l1;
            }
            x /= 18;
        }
        y -= (a % 32);
        x + y % 1000
    }
    fn program_237(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = (a % 6) - c;
        let mut y = a - (x % 14);
        if !(!(y > x) && a % 5 == 0) {
            y = (c % 41) - b;
        }
        while fuel > 0 && 3 < a {
            fuel -= 1;
            for e1 in [c.clone(), (x + 1) % 70] {
                x /= 18;
                y /= 3;
            }
            x += (b % 6);
            if y < (x % 37) {
                continue;
            }
            y = 0;
        }
        x = c.clone();
        if { graph_print!("q2 {}", c); c > 4 } { y } else { (x + 4) % 120 }
    }
    fn program_238(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = a.clone();
        let mut y = (x + 6) % 120;
        match x {
            -5 => {
                if 4 < c && x % 4 == 0 {
                    graph_print!("g1 {y}");
                    y = -b - 2;
                }
            }
            2 | 4 if !(b == 2 && b > (b % 11)) => {
                if c >= y {
                    y -= 8;
                    return 4;
                } else {
                    y %= 15;
                }
                y -= (c % 37);
                return a / 2 + 3;
            }
            -1..0 => {
                y = c - 0;
                return 6;
            }
            _ => {
                y += 0;
            }
        }
        y = y.clone();
        x + y % 1000
    }
    fn program_239(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = c.clone();
        let mut y = tensor(-7);
        let mut k1 = 0;
        while k1 < 1 {
            k1 += 1;
            let v2 = match a % 3 {
                3..=5 if c <= 7 && k1 != 0 => (c + (a % 28)) % 110,
                2 => 7,
                _ => (c + 3) % 90,
            };
        }
        if y > (b % 13) && (x < 2 || 6 < x) {
            'l3: for i4 in 0..y % 4 {
                graph_print!("g5 {y}");
                y %= 4;
                x = b.clone();
                if 7 < a {
                    continue 'l3;
                }
                x -= 5;
            }
        } else if c % 4 == 2 {
            y -= 7;
        }
        x -= (x % 37);
        x
    }
    fn program_240(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = c - 4;
        let mut y = x.clone();
        for i1 in 1..=2 {
            if b > 2 {
                (x, y) = (b + 3, a.clone());
            } else if !(b + 8 <= c && a + 9 <= x) {
                match x % 7 {
                    3..=5 => {
                        graph_print!("g2 {b}");
                        let (v3, mut v4) = (a.clone(), tensor(6));
                        return tensor(-4);
                    }
                    2 | 4 if b != (x % 25) && i1 < 1 => {
                        y -= 2;
                    }
                    0 => {
                        x = 0;
                    }
                    _ => {
                        y = tensor(3);
                    }
                }
            }
            x /= 23;
        }
        y = x.clone();
        return b + 8;
    }
    fn program_241(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = (a % 4) * (b % 26);
        let mut y = c.clone();
        if c % 4 == 0 {
            y = -c - (c % 11);
        } else {
            while fuel > 0 && !(x % 3 == 1 && y % 3 == 2) {
                fuel -= 1;
                let p1 = !(x % 4 == 2 && c >= 2);
            }
        }
        for i2 in (0..3).rev() {
            'l3: while fuel > 0 && { graph_print!("q4 {}", y); y > 4 } && y % 3 == 1 {
                fuel -= 1;
                y += (c % 28);
            }
            if a % 2 == 2 || a >= y {
                continue;
            }
            y = c.clone();
        }
        return a + (a % 37);
    }
    fn program_242(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = -c - 2;
        let mut y = a.clone();
        if b + (x % 31) <= a {
            graph_print!("g1 {y}");
        } else if { graph_print!("q2 {}", y); y > 4 } {
            graph_print!("g3 {} {}", x, (y % 38) * 1 - (a % 14));
            let h5 = |v6: Int| if v6 > 6 { v6 - 6 } else { (x % 36) - c };
            let v4 = h5(c - (y % 28));
        } else {
            let mut k7 = 0;
            while k7 < 3 {
                k7 += 1;
                x += 4;
                y = x.clone();
            }
            y = y.clone();
        }
        x -= (x % 34);
        if x % 2 == 1 { c - (b % 23) } else { (b + 1) % 70 }
    }
    fn program_243(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = a - (b % 37);
        let mut y = a - 7;
        if a >= c && c >= a {
            return 7;
        }
        for i1 in (a % 3..a % 3 + 5).step_by(2) {
            let v2 = loop {
                fuel -= 1;
                if fuel <= 0 {
                    break c.clone();
                }
                y = a / 5 + (b % 17);
                y %= 13;
            };
            if y + 0 <= x && (a >= y || 3 < y) {
                return 7;
            }
            y -= (c % 27);
        }
        let mut a = loop {
            fuel -= 1;
            if fuel <= 0 {
                break tensor(6);
            }
            y -= (a % 10);
        };
        a = 0;
        return a / 6 + 3;
    }
    fn program_244(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = a + 9;
        let mut y = (a + 3) % 90;
        if { graph_print!("q1 {}", a); a > 5 } && a % 3 == 0 {
            let mut v2 = if c % 4 == 0 {
                y -= (b % 39);
                (c + (b % 21)) % 100
            } else {
                let p3 = y >= b && a >= a;
                (b % 8) * (a % 24) - (y % 37)
            };
            let p4 = !(y > a) || v2 + (x % 21) <= a;
        } else {
            while fuel > 0 && a >= b {
                fuel -= 1;
                y %= 12;
                if !(a <= (b % 41) && a >= x) {
                    break;
                }
                y = c.clone();
            }
            return (y % 13) * 3 - (b % 41);
        }
        x = (y % 9) * 7;
        x + y % 1000
    }
    fn program_245(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = -a - 3;
        let mut y = c.clone();
        for i1 in 0..y % 2 {
            if i1 != 6 && y % 4 == 0 {
                y %= 15;
                break;
            } else {
                y = 0;
                x -= (y % 16);
            }
            if i1 <= 0 {
                break;
            }
            y = a.clone();
        }
        for i2 in (y % 3..y % 3 + 3).step_by(2) {
            y = a + 2;
        }
        y -= 1;
        if a >= b && y + 7 <= b { b / 3 + (a % 12) } else { -c - 2 }
    }
}
