//! Random programs, written by `cargo run -p graph-tests --bin generate_programs`: change that, not this.

super::programs! {
    fn program_127(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = c + (c % 23);
        let mut y = (c % 39) * (x % 39);
        let h2 = |v3: Int| -> Int {
            if v3 < 6 {
                return v3 * 2;
            }
            (x % 32) - a
        };
        let mut v1 = h2(x - 4);
        let (v4, mut v5) = (y.clone(), (x + (b % 27)) % 90);
        if v5 + 0 <= v4 {
            let mut v6 = {
                'l7: while fuel > 0 && 3 < a && c % 2 == 2 {
                    fuel -= 1;
                    v1 += 3;
                    x = x.clone();
                    if x % 4 == 1 || x % 3 == 1 {
                        return 2;
                    }
                    y = v1.clone();
                }
                c - (a % 40)
            };
        } else {
            v5 += 4;
            return 2;
        }
        a
    }
    fn program_128(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = b + (a % 9);
        let mut y = x - (a % 18);
        for i1 in (0..y % 5).rev() {
            while fuel > 0 && y != 7 {
                fuel -= 1;
                for e2 in [b.clone(), -b - 3] {
                    (x, y) = (-b - (e2 % 8), tensor(7));
                    y = (b % 4) * 4;
                    x %= 13;
                }
                y = b / 5 + (i1 % 25);
                if y >= a {
                    break;
                }
                y = i1 + 7;
            }
            y = i1 / 7 + 3;
            if x % 2 == 1 && 3 < y {
                continue;
            }
            x = (a % 31) - i1;
        }
        y += 4;
        x + y % 1000
    }
    fn program_129(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = (b % 7) * 4 - (a % 10);
        let mut y = b.clone();
        if !(c > x) && a <= 4 {
            return (a % 8) * (a % 26);
        }
        'l1: while true {
            fuel -= 1;
            if fuel <= 0 {
                break;
            }
            match y % 3 {
                -1 if a <= 4 => {
                    x = x + 2;
                }
                -3 => {
                    let v2 = -x - 7;
                    continue 'l1;
                }
                _ => {
                    x = a + 9;
                    x = (a % 21) * 5;
                }
            }
            y = 0;
            if a % 3 == 2 {
                continue 'l1;
            }
            x += 6;
        }
        y += 1;
        x + y % 1000
    }
    fn program_130(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = c / 2 + 2;
        let mut y = b.clone();
        while fuel > 0 && (a == 1 || c % 4 == 0) {
            fuel -= 1;
            graph_print!("g1 {b}");
            let y = loop {
                fuel -= 1;
                if fuel <= 0 {
                    break b.clone();
                }
                x %= 30;
                graph_print!("g2 {x}");
                let (v3, mut v4) = (b + 3, (a % 35) * 0 - (x % 3));
                if x % 2 == 0 && (b < (x % 34) || v3 > 2) {
                    continue;
                }
                v4 = (a % 26) * 6 - (y % 31);
            };
            if a < 3 || a % 2 == 2 {
                continue;
            }
            x %= 14;
        }
        y %= 6;
        y
    }
    fn program_131(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = a / 4 + 3;
        let mut y = -x - (c % 8);
        let b = loop {
            fuel -= 1;
            if fuel <= 0 {
                break a / 2 + 2;
            }
            if x == 1 && !(a > y) {
                let y = tensor(3);
                x /= 14;
            } else if !(x > x) {
                y %= 19;
                x = tensor(2);
            } else {
                x -= (c % 36);
            }
            y = x + 4;
            if b % 3 == 1 {
                return 2;
            }
            y /= 30;
        };
        x = a / 5 + 5;
        x + y % 1000
    }
    fn program_132(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = c.clone();
        let mut y = (a % 23) * 3 - (a % 21);
        let p1 = b + (c % 16) <= b;
        if c % 3 == 1 {
            return x - (y % 19);
        }
        a
    }
    fn program_133(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = (a + (c % 30)) % 110;
        let mut y = c.clone();
        if c + 5 <= a {
            while fuel > 0 && (a % 3 == 2 || b == (y % 32)) {
                fuel -= 1;
                y = a.clone();
                if { graph_print!("q1 {}", b); b > 8 } || { graph_print!("q2 {}", a); a > 7 } {
                    continue;
                }
                y = y.clone();
            }
            let p3 = b < (y % 6);
        } else if y == (y % 9) {
            let mut v4 = 'l5: {
                if b % 2 == 1 && 4 < b {
                    break 'l5 a.clone();
                }
                y = 0;
                c / 3 + 8
            };
            y %= 21;
        } else {
            x /= 20;
            return a.clone();
        }
        y = -a - (a % 14);
        return c - 1;
    }
    fn program_134(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = 6i32 - b;
        let mut y = x + 5;
        if c >= x {
            while fuel > 0 && !(x >= x && b % 2 == 2) {
                fuel -= 1;
                if { graph_print!("q1 {}", x); x > 6 } {
                    return 3i32 - x;
                }
                let b = loop {
                    fuel -= 1;
                    if fuel <= 0 {
                        break 3i32 - c;
                    }
                    x += 3;
                    let (v2, mut v3) = (tensor(-3), x.clone());
                    y = 0;
                    if y + (c % 20) <= y {
                        continue;
                    }
                    y -= 4;
                };
                if a < (c % 14) {
                    break;
                }
                y -= 6;
            }
            y = 0;
        } else {
            y += 5;
        }
        y = (x % 8) * 3 - (c % 22);
        x + y % 1000
    }
    fn program_135(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = a.clone();
        let mut y = x.clone();
        let mut v1 = match a % 4 {
            -5 => c,
            -1..0 => b + (a % 5),
            _ => (y % 10) * 1 - (x % 33),
        };
        if b % 2 == 1 && a > 9 {
            x += 4;
        } else {
            let v1 = if b >= x {
                graph_print!("g2 {} {}", b, (a % 26) * 7);
                y + (a % 12)
            } else {
                y = x + 8;
                return b / 4 + 3
            };
            y += 9;
        }
        y -= (a % 35);
        if b % 2 == 0 || a >= c { y } else { v1 / 6 + 7 }
    }
    fn program_136(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = tensor(-1);
        let mut y = c.clone();
        x = (x % 16) * 0;
        y += (y % 41);
        if b >= a { c / 3 + (x % 24) } else { b - 6 }
    }
    fn program_137(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = (b % 24) * 3 - (b % 37);
        let mut y = x - 2;
        let mut k1 = 0;
        while k1 < 2 {
            k1 += 1;
            while fuel > 0 && k1 != 2 {
                fuel -= 1;
                let (v2, mut v3) = (tensor(-2), x.clone());
                y /= 28;
                let c = a + 4;
            }
            let mut k4 = 0;
            while k4 < 1 {
                k4 += 1;
                y /= 9;
            }
        }
        y %= 27;
        x + y % 1000
    }
    fn program_138(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = a.clone();
        let mut y = b.clone();
        graph_print!("g1 {} {}", b, x / 3 + (b % 30));
        for e2 in [c + 1, tensor(-7)] {
            match c % 6 {
                -1..0 if !(y > x) && (b >= y || b >= 8) => {
                    y -= 2;
                }
                3..=5 if a >= c => {
                    let mut v3 = c + 1;
                    graph_print!("g4 {} {}", b, 5i32 - x);
                }
                _ => {
                    y = tensor(-4);
                    return 8;
                }
            }
            x = (a % 8) * (e2 % 4);
            if b >= e2 {
                break;
            }
            y = 0;
        }
        if !(a >= a && a > (c % 16)) { (c % 26) * 3 } else { -a - 1 }
    }
    fn program_139(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = a.clone();
        let mut y = 5i32 - c;
        for e1 in [tensor(0), (x + (b % 28)) % 110] {
            if !(e1 >= b && c <= (a % 3)) {
                x = x / 7 + (b % 25);
            } else {
                let p2 = !(y + (y % 5) <= a && b + (x % 30) <= c);
                let p3 = 2 < y && c % 3 == 0;
                continue;
            }
            let mut k4 = 0;
            while k4 < 2 {
                k4 += 1;
                y -= (x % 12);
            }
            x = tensor(-6);
        }
        x -= 9;
        x + y % 1000
    }
    fn program_140(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = -b - 8;
        let mut y = -a - (x % 28);
        x -= (y % 31);
        'l1: while true {
            fuel -= 1;
            if fuel <= 0 {
                break;
            }
            'l2: while fuel > 0 && (0 < y || !(b > y)) {
                fuel -= 1;
                if x >= a {
                    x = 0;
                    y = x / 3 + 7;
                }
                y = tensor(-4);
            }
            y -= (y % 35);
            if x != 8 {
                break 'l1;
            }
            x += (b % 19);
        }
        x += (y % 26);
        if c % 4 == 1 { 3i32 - a } else { x / 4 + (b % 38) }
    }
    fn program_141(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = (c % 25) * (a % 2);
        let mut y = b.clone();
        let v1 = if b % 4 == 0 {
            let mut v2 = 'l3: {
                if b >= x && { graph_print!("q4 {}", c); c > 6 } {
                    break 'l3 tensor(7);
                }
                let v5 = match a % 6 {
                    -1..0 if !(1 < c && c > (a % 17)) => 6,
                    -5..4 => break 'l3 y.clone(),
                    1..=3 if c % 3 == 2 || y + 6 <= y => a + (a % 4),
                    _ => (a % 16) * (y % 4),
                };
                2i32 - b
            };
            (x % 36) - y
        } else {
            loop {
                fuel -= 1;
                if fuel <= 0 {
                    break;
                }
                while fuel > 0 && 4 < b && { graph_print!("q6 {}", a); a > 5 } {
                    fuel -= 1;
                    y = tensor(3);
                    x = x.clone();
                    if { graph_print!("q7 {}", b); b > 6 } && c % 2 == 1 {
                        return 4;
                    }
                    x = 0;
                }
                y = 0;
                if c >= c {
                    continue;
                }
                y -= 3;
            }
            (y % 25) * 3 - (c % 16)
        };
        x += 4;
        if b % 3 == 1 && a <= 0 { c / 3 + (v1 % 15) } else { (v1 % 32) * (v1 % 34) - (y % 2) }
    }
    fn program_142(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = 5i32 - a;
        let mut y = tensor(7);
        x /= 6;
        let mut v1 = loop {
            fuel -= 1;
            if fuel <= 0 {
                break (c % 18) * 2;
            }
            if 3 < a {
                y -= 9;
                break a.clone();
            }
            let p2 = c <= 4;
        };
        let v3 = 'l4: {
            if b % 5 == 0 && v1 >= x {
                break 'l4 (v1 % 24) * 6 - (c % 16);
            }
            v1 = y.clone();
            b + 0
        };
        y = tensor(-3);
        x + y % 1000
    }
}
