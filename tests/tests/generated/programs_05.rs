//! Random programs, written by `cargo run -p graph-tests --bin generate_programs`: change that, not this.

super::programs! {
    fn program_066(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = (b % 24) * (c % 39);
        let mut y = a.clone();
        if x % 4 == 0 && b >= b {
            if c <= (x % 34) {
                match a {
                    2..=4 => {
                        y = tensor(10);
                        x = (c % 2) - x;
                        return a + (y % 3);
                    }
                    -1 => {
                        let (v1, mut v2) = ((x + (c % 6)) % 80, (y + (y % 37)) % 120);
                        v2 += 4;
                    }
                    _ => {
                        y = c.clone();
                    }
                }
                y += 0;
            } else {
                y = a.clone();
            }
            x = x + 1;
        } else if c % 5 == 1 {
            x = y + 1;
            return x + 7;
        } else {
            y %= 25;
            return 8;
        }
        y = a.clone();
        x + y % 1000
    }
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
        let mut y = 5i32 - b;
        if y + (x % 16) <= b || y < (x % 3) {
            if y == (y % 5) {
                x = b.clone();
                let b = (a + 8) % 120;
            }
            return -b - 2;
        } else {
            for i1 in 1..=y % 5 {
                let (v2, mut v3) = ((b % 10) * 9 - (y % 11), -b - (b % 2));
            }
        }
        y %= 23;
        x + y % 1000
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
            if a + 2 <= b && !(b > y) {
                return 2i32 - x;
            }
            x -= 5;
        }
        y = (x % 20) - c;
        return (y % 26) * (a % 26);
    }
    fn program_071(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = b.clone();
        let mut y = (x + 9) % 110;
        let mut v1 = match b % 3 {
            1 | 3 => return x - 8,
            -4..3 if x >= 3 && b + (x % 5) <= a => 3,
            _ => (b % 12) - c,
        };
        if y >= 8 && v1 % 2 == 2 {
            loop {
                fuel -= 1;
                if fuel <= 0 {
                    break;
                }
                y /= 28;
                if c <= 7 && a > (y % 12) {
                    continue;
                }
                v1 /= 8;
            }
            v1 = 0;
        } else if 8 < y && v1 % 5 == 2 {
            graph_print!("g2 {a}");
            return -a - 5;
        }
        y -= (v1 % 15);
        x + y % 1000
    }
    fn program_072(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = a.clone();
        let mut y = a.clone();
        let mut v1 = {
            let v2 = 'l3: {
                if y != 2 || c % 4 == 0 {
                    break 'l3 2i32 - a;
                }
                x = (b % 12) * 0 - (b % 22);
                b + 5
            };
            (v2 % 32) - a
        };
        if 2 < y && (c >= a || 2 < v1) {
            let mut v4 = 'l5: {
                if v1 >= x && !(v1 > b) {
                    break 'l5 x - 4;
                }
                x -= 8;
                (b % 10) * 4 - (b % 3)
            };
        } else {
            x = 0;
        }
        if v1 >= c { y } else { v1 / 7 + (b % 22) }
    }
    fn program_073(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = (a % 30) * (b % 27);
        let mut y = b - 8;
        while fuel > 0 && a >= y {
            fuel -= 1;
            x /= 15;
            let c = 2i32 - c;
            if { graph_print!("q1 {}", c); c > 6 } || 5 < b {
                break;
            }
            y = 0;
        }
        'l2: while fuel > 0 && !(x > c) && !(c > b) {
            fuel -= 1;
            while fuel > 0 && 4 < c {
                fuel -= 1;
                let mut v3 = b.clone();
                v3 += (x % 33);
            }
            x = c.clone();
            if { graph_print!("q4 {}", b); b > 7 } {
                continue 'l2;
            }
            x -= (c % 2);
        }
        if y >= a { b } else { b + 5 }
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
                for e2 in [(b % 41) - a, x.clone()] {
                    y += 6;
                    x += 4;
                    y += (a % 30);
                }
                (c + 1) % 120
            } else {
                y = c.clone();
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
            graph_print!("g1 {} {}", b, (a % 11) - a);
            x += 7;
        } else {
            for i2 in 1..=2 {
                let (v3, mut v4) = (x.clone(), b + 1);
                (y, v4) = (tensor(-2), tensor(4));
                y = b + 1;
            }
            x %= 23;
        }
        y = y.clone();
        x + y % 1000
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
        let mut y = 6i32 - x;
        if b <= 9 && b >= 1 {
            match a % 4 {
                0 => {
                    x += 5;
                }
                _ => {
                    let v1 = -x - 8;
                    return 7;
                }
            }
            return 3;
        }
        let v2 = if b >= x || c > 2 {
            let v3 = 'l4: {
                if a != (c % 40) {
                    break 'l4 2i32 - b;
                }
                y -= 3;
                -b - 9
            };
            (x % 29) - y
        } else {
            y %= 12;
            return x.clone()
        };
        x + y % 1000
    }
}
