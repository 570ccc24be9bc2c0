//! Random programs, written by `cargo run -p graph-tests --bin generate_programs`: change that, not this.

super::programs! {
    fn program_130(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = c / 2 + 2;
        let mut y = b.clone();
        while fuel > 0 && (a == 1 || c % 4 == 0) {
            fuel -= 1;
            graph_print!("g1 {b}");
            for i2 in 0..y % 2 {
                y = (c % 40) * 3 - (i2 % 40);
            }
            if b > (b % 33) && (c == 2 || x % 5 == 1) {
                return y.clone();
            }
            y += (c % 24);
        }
        if x >= y && x > 4 {
            return (x + 2) % 120;
        }
        x + y % 1000
    }
    fn program_131(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = a / 4 + 3;
        let mut y = -x - (c % 8);
        let v1 = loop {
            fuel -= 1;
            if fuel <= 0 {
                break 7 - c;
            }
            for i2 in 0..1 {
                y += (c % 7);
                let y = tensor(3);
            }
            if b < (c % 41) || y >= 3 {
                x = b.clone();
                break y - (a % 33);
            } else if y >= a || a <= 8 {
                y = 0;
            } else {
                x -= 3;
            }
            y = b.clone();
        };
        x -= (b % 3);
        b
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
        let mut x = 4 - b;
        let mut y = c + 9;
        'l1: loop {
            fuel -= 1;
            if fuel <= 0 {
                break;
            }
            for e2 in [a.clone(), b / 2 + (x % 10)] {
                let mut c = {
                    graph_print!("g3 {} {}", b, (e2 + (x % 31)) % 120);
                    x + (b % 40)
                };
                let v4 = loop {
                    fuel -= 1;
                    if fuel <= 0 {
                        break 7 - b;
                    }
                    c /= 14;
                };
                if e2 >= y {
                    return tensor(-1);
                }
                x = y.clone();
            }
        }
        x = (x % 31) * (y % 26) - (c % 21);
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
                let mut v4 = a + 4;
            }
            let mut k5 = 0;
            while k5 < 3 {
                k5 += 1;
                y = (a % 35) * k1 - (a % 30);
            }
        }
        y = -c - 4;
        c
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
                    graph_print!("g4 {} {}", b, 3 - x);
                    return e2 + 0;
                }
                _ => {
                    x /= 28;
                }
            }
            x = tensor(-3);
            if a == 7 && b >= b {
                return y + 8;
            }
            x = 0;
        }
        y
    }
    fn program_139(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = a.clone();
        let mut y = (c % 8) - c;
        loop {
            fuel -= 1;
            if fuel <= 0 {
                break;
            }
            if 1 < x {
                if y + 6 <= c {
                    let mut b = tensor(-6);
                } else {
                    let v1 = tensor(-2);
                    y = 0;
                }
            } else {
                y /= 25;
            }
            if !(b > b) {
                break;
            }
            x %= 16;
        }
        y = c.clone();
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
        if c % 4 == 1 { (y % 19) - a } else { a - (x % 13) }
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
                (v5 % 9) - b
            };
            a / 5 + 4
        } else {
            let mut k6 = 0;
            while k6 < 2 {
                k6 += 1;
                let mut v7 = {
                    x = b / 4 + (x % 38);
                    (c % 4) * k6 - (c % 12)
                };
            }
            (a % 8) * 3
        };
        x = -x - 4;
        x + y % 1000
    }
    fn program_142(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = 0 - a;
        let mut y = -c - 6;
        x %= 10;
        while fuel > 0 && a > 1 && x >= x {
            fuel -= 1;
            let v2;
            if a <= 4 {
                while fuel > 0 && b >= a {
                    fuel -= 1;
                    y += 2;
                }
                v2 = c + (c % 22);
            } else {
                let mut a = loop {
                    fuel -= 1;
                    if fuel <= 0 {
                        break x.clone();
                    }
                    x %= 7;
                };
                v2 = tensor(5);
            }
            y = y.clone();
        }
        x %= 9;
        return (c % 40) * (b % 26) - (c % 15);
    }
    fn program_143(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = c - 2;
        let mut y = c - 2;
        if x + 6 <= a && (x + (x % 18) <= b || b % 3 == 0) {
            for i1 in 0..x % 2 {
                let p2 = !(x == (i1 % 30) && b <= 5);
                y = b.clone();
                if x >= (a % 35) {
                    break;
                }
                y += (y % 27);
            }
        } else if b + 3 <= b && { graph_print!("q3 {}", y); y > 1 } {
            let p4 = x + 2 <= a;
            if x + (y % 30) <= c {
                return 4;
            }
            return 9 - a;
        }
        x = 0;
        if { graph_print!("q5 {}", x); x > 8 } && !(x > a) { (b % 25) * 8 - (y % 31) } else { -b - 9 }
    }
    fn program_144(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = (c % 38) * (a % 20) - (b % 32);
        let mut y = a.clone();
        let v2;
        if 7 < y {
            let v3 = tensor(7);
            v2 = a - 1;
        } else {
            'l4: loop {
                fuel -= 1;
                if fuel <= 0 {
                    break;
                }
                x += (y % 9);
                x = c + 9;
            }
            v2 = c / 2 + 1;
        }
        'l5: for i6 in (0..x % 4).rev() {
            x += 4;
            if y >= b && (b == (y % 29) || i6 > 1) {
                break 'l5;
            }
            y = a - (b % 28);
        }
        x
    }
    fn program_145(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = a - 1;
        let mut y = (a % 24) * 3 - (b % 12);
        match b % 3 {
            1 | 3 => {
                if 6 < c {
                    let mut v1 = if a != (c % 23) {
                        (y, x) = ((c % 10) * 1 - (y % 19), tensor(8));
                        (a % 25) * 4
                    } else {
                        x += (b % 21);
                        a + 3
                    };
                }
                while fuel > 0 && a <= 8 && 3 < c {
                    fuel -= 1;
                    x = 4 - y;
                }
                return b.clone();
            }
            -1 if x != 4 => {
                y %= 28;
            }
            4..=6 if c >= x => {
                x = b.clone();
            }
            _ => {
                y += (b % 12);
            }
        }
        y = (a % 36) * (b % 33);
        if c >= (b % 23) && y + (a % 7) <= y { 4 } else { a + (x % 16) }
    }
    fn program_146(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = b + (a % 35);
        let mut y = (x % 5) * (x % 22) - (b % 28);
        for i1 in 1..=3 {
            if i1 != 0 {
                let (v2, mut v3) = (y + (c % 12), c.clone());
            }
            for e4 in [y.clone(), b.clone()] {
                y -= 5;
                y -= (y % 30);
                y += 6;
            }
            y /= 2;
        }
        y = c + (y % 36);
        x + y % 1000
    }
    fn program_147(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = c + 4;
        let mut y = tensor(-1);
        while fuel > 0 && (x > (c % 32) && (a >= (y % 7) || { graph_print!("q1 {}", c); c > 1 })) {
            fuel -= 1;
            let mut k2 = 0;
            while k2 < 2 {
                k2 += 1;
                (x, y) = (a + 8, (a % 26) * 7 - (a % 11));
            }
            let mut k3 = 0;
            while k3 < 2 {
                k3 += 1;
                x -= 9;
            }
            if a % 5 == 0 {
                break;
            }
            x /= 30;
        }
        if { graph_print!("q4 {}", c); c > 6 } && (!(c > c) || c != (x % 5)) {
            x = tensor(-4);
            return (y + 4) % 80;
        } else {
            y = a - 1;
        }
        x += 0;
        y
    }
}
