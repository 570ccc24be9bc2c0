//! Random programs, written by `cargo run -p graph-tests --bin generate_programs`: change that, not this.

super::programs! {
    fn program_246(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = c.clone();
        let mut y = tensor(-9);
        x = (b % 9) * (b % 10);
        x %= 24;
        for i1 in 0..c % 4 {
            if !(b >= y && i1 % 2 == 2) {
                y += 1;
                continue;
            } else {
                x = i1.clone();
                continue;
            }
            y = a + 6;
        }
        y = 0;
        x + y % 1000
    }
    fn program_247(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = (c + 2) % 120;
        let mut y = x.clone();
        x = tensor(4);
        let v1 = if b % 2 == 0 {
            let mut k2 = 0;
            while k2 < 2 {
                k2 += 1;
                let p3 = b > 4 && a < (x % 31);
                y = (a % 2) * 3 - (a % 5);
            }
            x + 4
        } else {
            if !(b + (c % 4) <= x && x > 1) {
                x = 4 - x;
            } else if !(c > b) {
                x = a.clone();
            }
            return x + 3
        };
        b
    }
    fn program_248(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = a.clone();
        let mut y = -x - (c % 5);
        'l1: for i2 in 0..b % 3 {
            let v3 = 'l4: {
                if !(c > x) && 1 < x {
                    break 'l4 b.clone();
                }
                let mut v5 = (y % 28) * 9;
                (c % 11) * 8 - (b % 15)
            };
            loop {
                fuel -= 1;
                if fuel <= 0 {
                    break;
                }
                graph_print!("g6 {x}");
                x /= 24;
            }
            if b % 2 == 0 && !(v3 > v3) {
                break 'l1;
            }
            y -= (y % 13);
        }
        x = c + 3;
        if !(c > c) { b } else { (b % 36) * 3 }
    }
    fn program_249(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = a.clone();
        let mut y = (c % 2) * 4 - (c % 12);
        let v1 = loop {
            fuel -= 1;
            if fuel <= 0 {
                break c / 3 + (b % 37);
            }
            if c <= 5 {
                let (v2, mut v3) = (tensor(-7), c.clone());
                v3 = tensor(-3);
            } else if x >= 4 {
                let mut v4 = (y % 16) - c;
            }
            if b + (c % 28) <= a {
                return (c % 6) * 6;
            }
            x = 0;
        };
        let mut v5 = if y >= y { a + 3 } else { b - 2 };
        x + y % 1000
    }
    fn program_250(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = tensor(0);
        let mut y = (c % 3) * (a % 28);
        for i1 in 0..3 {
            y = (y % 3) * (a % 31) - (y % 28);
            'l2: for i3 in 0..2 {
                y = b.clone();
                y += (b % 16);
                (y, x) = (y.clone(), x + (c % 30));
            }
            x -= (y % 7);
        }
        y += 4;
        x
    }
    fn program_251(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = b - (b % 37);
        let mut y = b.clone();
        let (v1, mut v2) = ((x % 35) * 4, (c + 1) % 100);
        if !(1 < y && a % 2 == 1) {
            let v3;
            if v1 >= v2 {
                y /= 30;
                v3 = v1 / 3 + 4;
            } else {
                (x, v2) = (v1.clone(), tensor(4));
                v3 = (a % 14) * 6;
            }
            return 8;
        } else if !({ graph_print!("q4 {}", y); y > 0 } && b >= (a % 8)) {
            for i5 in (x % 3..x % 3 + 2).step_by(2) {
                x += (c % 23);
                if c % 3 == 1 {
                    break;
                }
                y /= 29;
            }
            v2 -= 4;
            return 2;
        }
        x + y % 1000
    }
    fn program_252(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = tensor(0);
        let mut y = c.clone();
        if a >= b {
            while fuel > 0 && c % 4 == 0 && { graph_print!("q1 {}", b); b > 4 } {
                fuel -= 1;
                y = 0;
                let (v2, mut v3) = ((b % 37) * 2 - (b % 29), (b % 29) * (c % 11) - (x % 3));
            }
            let v4 = {
                x = tensor(8);
                (y + 4) % 110
            };
        } else {
            x = y + 1;
        }
        y -= (c % 23);
        x + y % 1000
    }
    fn program_253(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = b + (b % 13);
        let mut y = (a % 32) * (c % 31) - (a % 30);
        if y <= (b % 20) {
            return 7;
        }
        for i1 in (y % 3..y % 3 + 3).step_by(2) {
            let mut k2 = 0;
            while k2 < 3 {
                k2 += 1;
                y /= 6;
                y -= k2;
                (y, x) = (b - 5, y.clone());
            }
            y += 1;
            if !(c > a) && b >= 5 {
                continue;
            }
            x += (a % 22);
        }
        c
    }
    fn program_254(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = a.clone();
        let mut y = tensor(2);
        let v1 = match a % 6 {
            -5..4 if y + (y % 19) <= b => (a % 5) * 2,
            0 | 2 if y + (b % 7) <= c => b,
            n if n > 2 => n - 2,
            n => n + 1,
        };
        for i2 in 0..x % 2 {
            let p3 = v1 != 0;
            if { graph_print!("q4 {}", b); b > 8 } {
                return (c + (y % 21)) % 70;
            }
            if x > (a % 34) {
                break;
            }
            y = x + (c % 3);
        }
        match y % 5 {
            1 | 3 if 6 < b => {
                graph_print!("g5 {} {}", y, c + (b % 23));
            }
            _ => {
                y = b.clone();
            }
        }
        x = 0;
        x + y % 1000
    }
    fn program_255(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = b / 5 + 5;
        let mut y = (x % 25) - b;
        let h1 = |v2: Int| if v2 > 5 { v2 - 5 } else { 4 - a };
        let mut x = h1((b % 27) * 4 - (b % 20));
        graph_print!("g3 {b}");
        x + y % 1000
    }
    fn program_256(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = -b - (b % 5);
        let mut y = x + 0;
        let mut v1 = match b % 4 {
            -1 => -7,
            4 | 6 => 4 - x,
            4 | 6 => x + (x % 16),
            n if n > 6 => n - 6,
            n => n + 1,
        };
        let h3 = |v4: Int| -> Int {
            if v4 < 6 {
                return v4 * 2;
            }
            (c + (b % 13)) % 110
        };
        let v2 = h3(v1 + 8);
        let mut k5 = 0;
        while k5 < 1 {
            k5 += 1;
            x /= 2;
            v1 = (y + (a % 39)) % 110;
            if c % 3 == 2 && (v1 > 9 || a != (x % 14)) {
                y += (v2 % 36);
            } else {
                y = tensor(4);
            }
        }
        return -v2 - (c % 6);
    }
    fn program_257(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = c.clone();
        let mut y = -c - (c % 29);
        if b + (c % 38) <= c {
            match c % 5 {
                -1 => {
                    let p1 = !(y > (y % 15) && b >= b);
                    x = a + 2;
                }
                -3 => {
                    x = (a % 30) * 2;
                    graph_print!("g2 {x}");
                }
                _ => {
                    y %= 19;
                }
            }
        } else if y + 9 <= y && c % 3 == 0 {
            y -= (y % 27);
        }
        x = 4 - x;
        if a % 2 == 2 && y <= 0 { -y - 7 } else { (y % 19) * (y % 12) - (b % 19) }
    }
    fn program_258(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = a + (b % 19);
        let mut y = -a - 0;
        if { graph_print!("q1 {}", b); b > 3 } {
            let mut v2 = {
                let mut v3 = if { graph_print!("q4 {}", c); c > 6 } {
                    y = (c % 5) * (b % 15);
                    c + 0
                } else {
                    graph_print!("g5 {} {}", x, y + 4);
                    return (b % 21) - a
                };
                v3 + (v3 % 29)
            };
            let mut k6 = 0;
            while k6 < 2 {
                k6 += 1;
                v2 = (c % 4) - c;
            }
        }
        y %= 21;
        x + y % 1000
    }
    fn program_259(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = c - 6;
        let mut y = (x + 2) % 80;
        graph_print!("g1 {} {}", y, y + 2);
        let v2 = match c % 7 {
            2 => return tensor(-9),
            -3 => (b % 7) * 0,
            _ => -y - (b % 5),
        };
        if { graph_print!("q3 {}", x); x > 2 } {
            while fuel > 0 && !(!(y > b) && v2 != 8) {
                fuel -= 1;
                y %= 25;
                if a % 5 == 1 {
                    break;
                }
                x -= 6;
            }
        }
        let mut v4 = loop {
            fuel -= 1;
            if fuel <= 0 {
                break (x % 41) * 8 - (y % 13);
            }
            x = (v2 % 30) - x;
            if !(y > c) {
                break v2 / 3 + (a % 17);
            }
            y += 4;
        };
        a
    }
    fn program_260(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = (a + (a % 41)) % 70;
        let mut y = -b - 7;
        (x, y) = (y.clone(), c.clone());
        match b % 5 {
            -4 if c != 1 => {
                if { graph_print!("q1 {}", y); y > 3 } || b < (c % 16) {
                    if x >= (y % 6) && !(a > x) {
                        let p2 = !(c <= (y % 24) && { graph_print!("q3 {}", a); a > 6 });
                        graph_print!("g4 {} {}", a, c - (x % 4));
                    }
                    x = a + (b % 38);
                }
            }
            _ => {
                x = -x - 4;
                return c + (c % 35);
            }
        }
        x -= 5;
        return a - (y % 33);
    }
    fn program_261(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = a.clone();
        let mut y = tensor(10);
        for i1 in (0..a % 3).rev() {
            match i1 % 5 {
                1..=3 if x < (c % 3) || a >= x => {
                    if c == (x % 27) {
                        let p2 = { graph_print!("q3 {}", x); x > 6 };
                        let p4 = !(a > (a % 37) && x % 5 == 1);
                    } else if a >= (b % 13) && a < (a % 37) {
                        x -= 7;
                    }
                    break;
                }
                _ => {
                    y = y.clone();
                }
            }
            y = (c % 41) * (a % 12);
            if 3 < b && y >= b {
                break;
            }
            y = (y % 34) * (b % 16);
        }
        x -= 7;
        x + y % 1000
    }
    fn program_262(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = b + 4;
        let mut y = (c + 0) % 110;
        let v1 = (y + 5) % 70;
        let mut v2 = 'l3: {
            if b % 4 == 1 {
                break 'l3 a.clone();
            }
            if !(y > c) {
                let p4 = v1 % 4 == 2;
                return (b % 3) * (v1 % 13) - (v1 % 7);
            } else {
                (y, x) = (v1 / 3 + (c % 40), tensor(4));
                let v5 = (y % 37) * (x % 26);
                return v1 / 7 + (b % 38);
            }
            x + (y % 33)
        };
        v2 /= 28;
        x + y % 1000
    }
    fn program_263(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = (c + (c % 14)) % 120;
        let mut y = tensor(-5);
        'l1: while fuel > 0 && !(a + (y % 13) <= x && a < (b % 6)) {
            fuel -= 1;
            'l2: while fuel > 0 && c != 7 {
                fuel -= 1;
                x = a / 5 + (x % 20);
                x += 3;
                let p3 = b + 9 <= b;
            }
            loop {
                fuel -= 1;
                if fuel <= 0 {
                    break;
                }
                x /= 13;
                if c % 3 == 1 {
                    break 'l1;
                }
                x = y + 0;
            }
            y = tensor(-8);
            if 6 < c && (b % 2 == 2 || y == 8) {
                return c.clone();
            }
            y += 1;
        }
        y = -b - 4;
        c
    }
}
