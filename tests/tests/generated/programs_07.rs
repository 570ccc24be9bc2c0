//! Random programs, written by `cargo run -p graph-tests --bin generate_programs`: change that, not this.

super::programs! {
    fn program_099(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = a + (b % 40);
        let mut y = a.clone();
        let v1 = if x <= (c % 39) {
            let mut v2 = y + (c % 3);
            (x % 26) - x
        } else {
            'l3: while fuel > 0 && b != 4 && c > 4 {
                fuel -= 1;
                y = (x % 28) * (y % 11) - (c % 12);
                if 8 < b || y % 3 == 1 {
                    break 'l3;
                }
                x += (a % 26);
            }
            (x % 27) * 8 - (a % 36)
        };
        'l4: while true {
            fuel -= 1;
            if fuel <= 0 {
                break;
            }
            let v5 = if y % 2 == 0 || x > 4 {
                y = a + 4;
                x + (c % 22)
            } else {
                y += (x % 32);
                8 - y
            };
            y += 8;
        }
        x += 6;
        return (a + (y % 22)) % 90;
    }
    fn program_100(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = (b % 21) * 4;
        let mut y = x + 8;
        if { graph_print!("q1 {}", y); y > 0 } {
            'l2: loop {
                fuel -= 1;
                if fuel <= 0 {
                    break;
                }
                let p3 = 3 < a && 0 < x;
                if p3 {
                    break 'l2;
                }
                y %= 17;
            }
            return c.clone();
        } else if c >= x {
            let b = loop {
                fuel -= 1;
                if fuel <= 0 {
                    break b + 5;
                }
                x = 0;
                if b % 5 == 2 {
                    break 9 - y;
                }
                x -= 6;
            };
        }
        let mut v4 = loop {
            fuel -= 1;
            if fuel <= 0 {
                break y.clone();
            }
            y %= 3;
        };
        y -= (b % 12);
        x + y % 1000
    }
    fn program_101(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = -c - (a % 25);
        let mut y = x.clone();
        for i1 in a - 1..a + 2 {
            if !(c % 2 == 0 && a == 4) {
                return (x % 10) * (a % 35) - (y % 9);
            }
            if y % 2 == 2 {
                continue;
            }
            x /= 4;
        }
        match c {
            4 if !(x > b) => {
                let v2 = if c % 5 == 2 && (c % 5 == 2 || c % 5 == 1) {
                    let h4 = |v5: Int| if v5 > 7 { v5 - 7 } else { (c + 4) % 80 };
                    let mut v3 = h4((a + (y % 6)) % 70);
                    a + 8
                } else {
                    let v7;
                    if x >= a || a + (c % 13) <= x {
                        y -= 3;
                        v7 = b / 4 + 0;
                    } else {
                        y = -c - 9;
                        v7 = (a + 7) % 80;
                    }
                    y / 4 + (x % 2)
                };
            }
            0 => {
                x = 0;
                return 1 - x;
            }
            3 => {
                x /= 26;
                return (x % 16) * 0 - (x % 34);
            }
            _ => {
                y = a.clone();
            }
        }
        y -= (y % 2);
        y
    }
    fn program_102(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = tensor(-1);
        let mut y = (c % 37) * 7 - (b % 34);
        while true {
            fuel -= 1;
            if fuel <= 0 {
                break;
            }
            match a {
                -3..2 if b < (b % 14) && b == 3 => {
                    x = b + 4;
                    y = y + 0;
                }
                -2..1 => {
                    y += (y % 37);
                    let v1 = (c % 4) * (b % 20) - (x % 31);
                    break;
                }
                _ => {
                    y = 0;
                    break;
                }
            }
            x = 1 - b;
            if x % 2 == 1 {
                break;
            }
            x = x / 7 + 0;
        }
        y += 4;
        x + y % 1000
    }
    fn program_103(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = a - 6;
        let mut y = 2 - x;
        y = 0;
        match y % 4 {
            -2..1 => {
                match a % 6 {
                    -2..1 => {
                        let mut b = {
                            x = x.clone();
                            x / 6 + 0
                        };
                    }
                    -3 => {
                        if 7 < a {
                            x = y.clone();
                        } else if a + (x % 15) <= b {
                            y = x.clone();
                        }
                    }
                    2..=4 if b >= 2 && (y + 2 <= c || b >= y) => {
                        y = (y % 8) * 6 - (a % 30);
                    }
                    _ => {
                        x /= 20;
                    }
                }
                return c.clone();
            }
            _ => {
                x = b.clone();
            }
        }
        y = a - (y % 38);
        x + y % 1000
    }
    fn program_104(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = -c - (c % 19);
        let mut y = b + 9;
        y /= 4;
        let v1 = if x % 2 == 1 {
            let p2 = x >= x;
            -x - 3
        } else {
            'l3: while fuel > 0 && c > 2 {
                fuel -= 1;
                let h5 = |v6: Int| if v6 > 5 { v6 - 5 } else { (x + (x % 9)) % 100 };
                let v4 = h5((x % 16) * 6 - (x % 36));
            }
            (c % 10) * 4
        };
        let v1 = if !(b >= v1 && c % 4 == 0) {
            x += 1;
            y / 6 + 5
        } else {
            y = b.clone();
            return 8
        };
        x + y % 1000
    }
    fn program_105(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = c + 4;
        let mut y = x.clone();
        let v2;
        if !(x > c) || c >= x {
            match a {
                3 | 5 => {
                    y -= 6;
                    let v3 = 'l4: {
                        if y > 3 {
                            break 'l4 (x % 38) * 1;
                        }
                        x %= 27;
                        y + (c % 26)
                    };
                }
                1 | 3 => {
                    'l5: while fuel > 0 && !(a >= b && { graph_print!("q6 {}", a); a > 3 }) {
                        fuel -= 1;
                        y += 1;
                        if x % 3 == 0 {
                            break 'l5;
                        }
                        y = b.clone();
                    }
                }
                _ => {
                    x /= 26;
                }
            }
            v2 = c / 5 + 4;
        } else {
            x /= 27;
            v2 = c + (b % 17);
        }
        x %= 11;
        x + y % 1000
    }
    fn program_106(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = (a % 41) * (b % 9);
        let mut y = tensor(1);
        let v1 = a.clone();
        loop {
            fuel -= 1;
            if fuel <= 0 {
                break;
            }
            let mut k2 = 0;
            while k2 < 1 {
                k2 += 1;
                y = 0;
                x += k2;
                x = v1 - (c % 34);
            }
            x = (v1 + 3) % 70;
        }
        x -= 3;
        x + y % 1000
    }
    fn program_107(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = c + (a % 23);
        let mut y = a.clone();
        while fuel > 0 && (a != (x % 4) && ({ graph_print!("q1 {}", c); c > 7 } || b != 4)) {
            fuel -= 1;
            if !(2 < b && 1 < c) {
                x = a + (y % 26);
                x = b.clone();
            }
            if y > 2 {
                x = 0;
            }
            x = 2 - b;
        }
        x = (a % 11) * 3 - (x % 35);
        x + y % 1000
    }
    fn program_108(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = (c + (c % 41)) % 120;
        let mut y = (c % 4) * (c % 14) - (x % 23);
        for e1 in [c - (a % 22), c.clone()] {
            y += 1;
            let mut k2 = 0;
            while k2 < 3 {
                k2 += 1;
                let (v3, mut v4) = (tensor(8), c.clone());
                let v3 = (v3 % 25) * 9 - (b % 32);
                x = b.clone();
            }
            if c % 4 == 2 {
                continue;
            }
            y = e1.clone();
        }
        y /= 22;
        if y + 7 <= b { x } else { (y % 12) * 4 }
    }
    fn program_109(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = (c % 41) - a;
        let mut y = (c % 4) * (a % 27);
        let mut k1 = 0;
        while k1 < 1 {
            k1 += 1;
            if !(x >= c && a > 7) {
                let p2 = y < (x % 17) && k1 == 2;
            } else if b != (b % 38) && !(b > x) {
                y = 0;
                graph_print!("g3 {b}");
            } else {
                let mut v4 = b / 4 + 8;
            }
            y = x - (y % 7);
        }
        y = (x % 27) - b;
        x + y % 1000
    }
    fn program_110(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = c.clone();
        let mut y = tensor(3);
        for i1 in a - 1..a + 1 {
            x = 4 - c;
            'l2: for i3 in a - 1..a + 0 {
                while fuel > 0 && ({ graph_print!("q4 {}", x); x > 0 } || y % 5 == 1) {
                    fuel -= 1;
                    let p5 = !(b > b);
                    let p6 = x % 5 == 2;
                }
                x /= 24;
            }
            if !(!(b > y) && b % 5 == 0) {
                continue;
            }
            x = (b + (x % 16)) % 110;
        }
        y -= 8;
        if 1 < a && (b >= 7 || 0 < c) { -6 } else { b - (c % 35) }
    }
    fn program_111(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = c + 0;
        let mut y = tensor(6);
        let (v1, mut v2) = ((c % 17) * 3, tensor(0));
        let v4;
        if 6 < v2 {
            let p5 = x <= 1 && v1 > 1;
            v4 = tensor(7);
        } else {
            'l6: while fuel > 0 && y < 4 {
                fuel -= 1;
                for i7 in 0..y % 3 {
                    y = v1 - 2;
                    if y <= 8 {
                        continue 'l6;
                    }
                    x += 2;
                }
                v2 -= 7;
            }
            v4 = x.clone();
        }
        x += 6;
        x + y % 1000
    }
    fn program_112(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = c.clone();
        let mut y = (c % 3) * (c % 14) - (a % 7);
        let x = match a % 7 {
            4..=6 => (y % 23) * 1,
            -1 => -x - 3,
            -4..3 if { graph_print!("q1 {}", b); b > 0 } && { graph_print!("q2 {}", c); c > 4 } => return x.clone(),
            n if n > 6 => n - 6,
            n => n + 1,
        };
        let mut v3 = {
            while fuel > 0 && c > (x % 27) {
                fuel -= 1;
                y = (b % 35) - b;
            }
            c / 2 + 4
        };
        if y <= 1 && !(a > y) { c } else { (c % 9) * 9 }
    }
    fn program_113(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = tensor(6);
        let mut y = a.clone();
        y = (y % 39) - c;
        x += (c % 39);
        return b + 2;
    }
    fn program_114(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = c / 2 + 4;
        let mut y = c + 1;
        while fuel > 0 && (c % 4 == 1 || x >= c) {
            fuel -= 1;
            let v1 = if y % 5 == 2 {
                (x, y) = (b.clone(), (c % 18) * 9);
                -b - (a % 32)
            } else {
                x %= 12;
                c / 6 + 0
            };
            let p2 = y % 4 == 0;
            if x % 4 == 1 && v1 % 4 == 0 {
                continue;
            }
            x = a - 7;
        }
        let mut v3 = if c % 4 == 1 { b } else { (y % 36) - y };
        x + y % 1000
    }
}
