//! Random programs, written by `cargo run -p graph-tests --bin generate_programs`: change that, not this.

super::programs! {
    fn program_067(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = a - 1;
        let mut y = a / 2 + 8;
        if x >= c {
            while true {
                fuel -= 1;
                if fuel <= 0 {
                    break;
                }
                graph_print!("g1 {b}");
                graph_print!("g2 {x}");
                if !(a % 4 == 0 && a + (b % 11) <= a) {
                    return 8;
                }
                y = (c % 18) * 7;
            }
            return y + 4;
        }
        'l3: for i4 in 1..=1 {
            if a == i4 {
                x %= 15;
            } else if x == (c % 24) {
                y = c + i4;
            } else {
                x = y.clone();
                break 'l3;
            }
            x = (x % 13) * 1;
            if x != (x % 4) {
                break 'l3;
            }
            y = a.clone();
        }
        if !(c > y) { -c - 1 } else { (y + (y % 20)) % 110 }
    }
    fn program_068(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = tensor(3);
        let mut y = (c % 17) - b;
        'l1: while fuel > 0 && (y + (x % 16) <= b || y < (x % 3)) {
            fuel -= 1;
            if y == (y % 5) {
                let mut v2 = if b <= 3 && a + (b % 37) <= y {
                    y -= 2;
                    a + 1
                } else {
                    x /= 19;
                    (c % 22) * 1
                };
                while fuel > 0 && { graph_print!("q3 {}", y); y > 4 } {
                    fuel -= 1;
                    y += 4;
                }
            }
            if y < (c % 16) {
                continue 'l1;
            }
            x -= (c % 5);
        }
        x += 3;
        a
    }
    fn program_069(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = (a + (a % 8)) % 90;
        let mut y = a + 4;
        let v1 = 'l2: {
            if c < 3 && x >= (a % 32) {
                break 'l2 (y % 10) * 2;
            }
            loop {
                fuel -= 1;
                if fuel <= 0 {
                    break;
                }
                y = 0;
                x = (y % 41) * 3 - (b % 27);
            }
            (c % 31) * (b % 36)
        };
        match b {
            1..=3 if c >= x && (v1 >= x || c >= v1) => {
                let v4;
                if v1 % 4 == 1 || b + 8 <= y {
                    x = a.clone();
                    v4 = (y % 38) * (y % 30);
                } else {
                    x -= 3;
                    v4 = tensor(4);
                }
            }
            3 | 5 => {
                x = 0;
            }
            _ => {
                y += (c % 39);
                return 6;
            }
        }
        x + y % 1000
    }
    fn program_070(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = a.clone();
        let mut y = tensor(6);
        while fuel > 0 && !(b > b) && c < (b % 31) {
            fuel -= 1;
            'l1: for i2 in (0..y % 4).rev() {
                for i3 in (0..1).rev() {
                    let p4 = i2 == (y % 24) && (x + 9 <= b || c >= 6);
                    graph_print!("g5 {} {}", c, -c - (a % 35));
                    x -= 2;
                }
                if a >= b {
                    continue 'l1;
                }
                x = (b % 32) * 4 - (c % 23);
            }
            if a % 5 == 0 && c + 2 <= b {
                return (b % 40) - x;
            }
            x = (x % 26) * 4 - (c % 13);
        }
        y = tensor(7);
        if 4 < a && (y >= y || b % 3 == 1) { a + 1 } else { (c % 34) * (c % 14) - (a % 26) }
    }
    fn program_071(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = b.clone();
        let mut y = (x + 9) % 110;
        let mut v1 = match b % 3 {
            1 | 3 => return x - 8,
            -4..3 if x >= 3 && b + (x % 5) <= a => 3,
            _ => (x % 27) - c,
        };
        while fuel > 0 && !(v1 > x) && b <= 3 {
            fuel -= 1;
            let mut v2 = (x + (c % 17)) % 70;
            v1 -= 1;
            if b <= (c % 12) && 8 < a {
                continue;
            }
            x -= 1;
        }
        v1 = b.clone();
        let v3 = if v1 < 1 && { graph_print!("q4 {}", b); b > 4 } {
            v1 -= 3;
            (c + 1) % 100
        } else {
            y -= (v1 % 15);
            return a.clone()
        };
        a
    }
    fn program_072(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = a.clone();
        let mut y = a.clone();
        let mut v1 = {
            let v2 = 'l3: {
                if y != 2 || c % 4 == 0 {
                    break 'l3 0 - a;
                }
                y %= 20;
                (b % 12) * 0 - (b % 22)
            };
            b + 5
        };
        x = a + 6;
        x + y % 1000
    }
    fn program_073(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = (a % 30) * (b % 27);
        let mut y = b - 8;
        while fuel > 0 && a >= y {
            fuel -= 1;
            x /= 15;
            let mut v1 = 8 - c;
        }
        if y < (c % 5) || a >= b {
            let v2 = match c {
                3 | 5 => (c % 18) - a,
                _ => (b % 27) * 6,
            };
        } else if { graph_print!("q3 {}", b); b > 6 } {
            let v4 = if 1 < a {
                x -= 1;
                (x + 3) % 80
            } else {
                x = a.clone();
                (a % 29) * 2
            };
            y /= 4;
        } else {
            x -= 5;
        }
        if !(x > a) { (b % 29) * 4 - (a % 36) } else { (b + (c % 40)) % 110 }
    }
    fn program_074(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = tensor(4);
        let mut y = -c - 0;
        if y >= a {
            return c.clone();
        }
        'l1: while fuel > 0 && c + 8 <= x {
            fuel -= 1;
            let v2 = if b % 5 == 1 && 2 < y { c } else { (y % 25) * (b % 20) - (a % 19) };
            if !(b > v2) {
                continue 'l1;
            }
            x = 0;
        }
        if c % 3 == 1 && y % 5 == 1 {
            let mut v3 = match a % 5 {
                1 | 3 if { graph_print!("q4 {}", b); b > 4 } && a == 2 => -1,
                -5 => c / 4 + 9,
                1..=3 => return y.clone(),
                _ => (x % 6) * 4 - (x % 22),
            };
            loop {
                fuel -= 1;
                if fuel <= 0 {
                    break;
                }
                y /= 8;
            }
            return b + 8;
        }
        x = y.clone();
        c
    }
    fn program_075(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = tensor(-9);
        let mut y = b - (b % 34);
        while fuel > 0 && (7 < c && (c % 4 == 1 || c + 8 <= x)) {
            fuel -= 1;
            if b % 2 == 1 && b > 6 {
                let p1 = x >= y;
                y = a.clone();
                break;
            }
            let mut v2 = loop {
                fuel -= 1;
                if fuel <= 0 {
                    break b.clone();
                }
                x = c.clone();
                y -= 3;
                if !(y == (y % 16) && c + 3 <= x) {
                    return 1;
                }
                y += (b % 3);
            };
            v2 = 0;
            if !(x % 4 == 1 && y == 3) {
                break;
            }
            x /= 10;
        }
        y /= 24;
        x + y % 1000
    }
    fn program_076(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = (a + (a % 25)) % 70;
        let mut y = b / 6 + 0;
        while fuel > 0 && c % 4 == 1 && c >= 6 {
            fuel -= 1;
            let mut v1 = if x < 0 {
                for e2 in [(b % 32) - a, b.clone()] {
                    y /= 9;
                    x = 2 - a;
                    (x, y) = (e2.clone(), c / 2 + (a % 30));
                }
                -b - 1
            } else {
                y = 0;
                b + 7
            };
        }
        x /= 25;
        if x % 3 == 0 || b + 3 <= y { b } else { (a % 24) * (x % 41) }
    }
    fn program_077(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = c.clone();
        let mut y = c / 6 + (x % 2);
        if a < 6 || a >= c {
            graph_print!("g1 {b}");
            let mut v2 = if a > 9 {
                let mut v3 = c - (x % 27);
                -v3 - (a % 17)
            } else {
                let v4 = (x % 9) - c;
                y + 1
            };
        }
        for i5 in 1..=1 {
            x = x + 4;
        }
        if !(5 < y && 6 < x) { 7 } else { b - (a % 16) }
    }
    fn program_078(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = a - 4;
        let mut y = b.clone();
        while true {
            fuel -= 1;
            if fuel <= 0 {
                break;
            }
            let mut k1 = 0;
            while k1 < 2 {
                k1 += 1;
                match y {
                    1..=3 => {
                        y = tensor(4);
                        x /= 30;
                    }
                    _ => {
                        graph_print!("g2 {c}");
                    }
                }
            }
            x -= 5;
            if !(b < 2 && 8 < x) {
                break;
            }
            y -= 8;
        }
        x -= (y % 13);
        a
    }
    fn program_079(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = (a + (c % 11)) % 70;
        let mut y = b.clone();
        for i1 in 1..=c % 4 {
            x += 9;
            x = b.clone();
            let mut k2 = 0;
            while k2 < 2 {
                k2 += 1;
                if !(a + (c % 29) <= a && k2 < 0) {
                    x %= 21;
                    x -= 5;
                }
                x = c.clone();
            }
        }
        y -= (b % 28);
        return c - (c % 22);
    }
    fn program_080(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = c.clone();
        let mut y = 9 - x;
        x = tensor(10);
        for i1 in 0..b % 5 {
            let v3;
            if b >= i1 {
                let v5;
                if !(c > a) {
                    y /= 2;
                    v5 = -i1 - 8;
                } else {
                    y += (c % 6);
                    v5 = y.clone();
                }
                v3 = (y % 23) * (x % 11) - (c % 19);
            } else {
                y += 0;
                v3 = (y % 20) - y;
            }
        }
        y -= (y % 38);
        x + y % 1000
    }
    fn program_081(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = -b - 2;
        let mut y = a.clone();
        let v1 = 'l2: {
            if !(y >= b && 6 < x) {
                break 'l2 y + 2;
            }
            while true {
                fuel -= 1;
                if fuel <= 0 {
                    break;
                }
                graph_print!("g3 {a}");
                x %= 27;
                if x % 5 == 2 {
                    continue;
                }
                y += 1;
            }
            b + 2
        };
        match v1 {
            4 | 6 if y <= 9 && x < (c % 26) => {
                x /= 11;
                return -x - 5;
            }
            -4..3 => {
                x %= 19;
            }
            4..=6 if x == 2 => {
                y = tensor(5);
            }
            _ => {
                x /= 28;
            }
        }
        y = b - 3;
        x + y % 1000
    }
}
