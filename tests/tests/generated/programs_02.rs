//! Random programs, written by `cargo run -p graph-tests --bin generate_programs`: change that, not this.

super::programs! {
    fn program_017(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = (c % 25) * 4 - (a % 38);
        let mut y = a - (x % 30);
        let v1 = if b % 2 == 1 && y <= (c % 5) {
            for i2 in 0..a % 3 {
                let mut i2 = y.clone();
            }
            3 - y
        } else {
            x = y + 7;
            -b - 1
        };
        loop {
            fuel -= 1;
            if fuel <= 0 {
                break;
            }
            let mut v3 = c + (x % 20);
            v3 /= 23;
        }
        x /= 27;
        v1
    }
    fn program_018(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = tensor(-4);
        let mut y = c + 1;
        let mut v1 = {
            match c % 4 {
                2 | 4 if c >= b => {
                    let mut v2 = (x % 30) * (y % 29) - (y % 36);
                    let p3 = y == (c % 12) || c >= x;
                }
                0 if y % 4 == 1 => {
                    let c = c.clone();
                    return c / 6 + 6;
                }
                _ => {
                    graph_print!("g4 {} {}", y, y - 0);
                    y /= 12;
                }
            }
            (x + 6) % 110
        };
        x = 0;
        a
    }
    fn program_019(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = (a % 33) * 4;
        let mut y = x.clone();
        if !(y > a) {
            if c % 5 == 2 {
                let v1 = if a == 0 {
                    x -= 3;
                    -a - 3
                } else {
                    x = c.clone();
                    return y.clone()
                };
                x = tensor(0);
                return tensor(8);
            } else if a > (x % 30) {
                y += (y % 37);
            } else {
                y += (a % 23);
            }
            y = c + (a % 29);
            return a.clone();
        } else if !(b % 5 == 2 && a <= 2) {
            y -= (a % 15);
        } else {
            y += (x % 16);
            return tensor(-9);
        }
        y += 6;
        if !(x > b) { (a % 20) * (a % 26) - (x % 20) } else { (x + (b % 21)) % 120 }
    }
    fn program_020(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = b.clone();
        let mut y = x.clone();
        for e1 in [tensor(3), (a % 39) - c] {
            let v3;
            if y < 1 {
                x /= 13;
                v3 = 7 - c;
            } else {
                x -= 5;
                v3 = tensor(-9);
            }
            x = 0;
            while fuel > 0 && y >= 2 {
                fuel -= 1;
                x = v3 + 3;
            }
        }
        x = (b % 37) - c;
        x + y % 1000
    }
    fn program_021(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = 2 - c;
        let mut y = x.clone();
        if b >= x {
            if 4 < x && b > (x % 5) {
                return (c + 1) % 90;
            }
        } else {
            if c % 2 == 1 || b % 3 == 2 {
                let p1 = x + (x % 5) <= b;
            }
            loop {
                fuel -= 1;
                if fuel <= 0 {
                    break;
                }
                let (v2, mut v3) = (2 - x, (y + (x % 16)) % 80);
                if 0 < c {
                    continue;
                }
                v3 = (v2 % 2) * (a % 23);
            }
        }
        x -= 4;
        if { graph_print!("q4 {}", y); y > 8 } { x } else { b + (c % 25) }
    }
    fn program_022(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = 2 - a;
        let mut y = (x % 13) - c;
        if a < 4 || y >= y {
            let p1 = b % 2 == 1;
            for i2 in (0..2).rev() {
                y %= 27;
            }
            return a.clone();
        } else if { graph_print!("q3 {}", y); y > 7 } {
            if b + 2 <= c || a % 3 == 1 {
                let v4 = y / 3 + 9;
            } else if { graph_print!("q5 {}", a); a > 8 } && b + 9 <= x {
                x = y + 5;
            }
            x -= 2;
        }
        x += 3;
        y
    }
    fn program_023(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = a / 5 + (c % 38);
        let mut y = a.clone();
        if y + 2 <= y && { graph_print!("q1 {}", b); b > 8 } {
            y = 0;
            for i2 in 0..x % 4 {
                graph_print!("g3 {} {}", c, 0 - y);
                x = i2.clone();
            }
            return x + (x % 27);
        } else if !(!(a > b) && b % 5 == 2) {
            if x == 3 {
                x = c + 9;
            }
        } else {
            x = a.clone();
        }
        y += 3;
        x + y % 1000
    }
    fn program_024(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = 8 - b;
        let mut y = (x % 5) * 3 - (b % 11);
        if b == (c % 31) && y != 9 {
            return c.clone();
        }
        let v1 = match c % 7 {
            3..=5 => (x % 39) * 0 - (c % 21),
            1..=3 => b - 3,
            -3 => b,
            _ => c / 7 + 2,
        };
        x + y % 1000
    }
    fn program_025(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = c.clone();
        let mut y = tensor(2);
        let mut v1 = if c >= c && (7 < b || !(a > c)) {
            if b >= (b % 24) {
                return (a % 3) * 7 - (c % 5);
            }
            x - (x % 15)
        } else {
            while true {
                fuel -= 1;
                if fuel <= 0 {
                    break;
                }
                let v2 = b.clone();
                let p3 = v2 % 2 == 1;
                graph_print!("g4 {} {}", y, -c - 2);
            }
            return a.clone()
        };
        v1 = v1 / 5 + 1;
        return a / 2 + 8;
    }
    fn program_026(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = -a - (a % 24);
        let mut y = -c - (b % 19);
        if !(x == (x % 40) && x % 3 == 0) {
            for i1 in 0..3 {
                if { graph_print!("q2 {}", x); x > 7 } {
                    x = 9 - x;
                    x = 0;
                } else if { graph_print!("q3 {}", c); c > 2 } || x % 2 == 0 {
                    graph_print!("g4 {} {}", c, (a + 6) % 70);
                    y -= 5;
                    continue;
                } else {
                    y = (c % 20) * 7 - (a % 32);
                    return c - (x % 28);
                }
            }
        } else {
            x = c + (b % 19);
        }
        x -= 2;
        if 6 < c { (c % 5) * (b % 28) - (c % 12) } else { (a + (x % 29)) % 110 }
    }
    fn program_027(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = c + 7;
        let mut y = (b % 33) * 0 - (c % 8);
        match y % 4 {
            3 => {
                if b <= (y % 23) && b + (b % 9) <= c {
                    y = (a + 9) % 80;
                    return y + (b % 14);
                } else if { graph_print!("q1 {}", b); b > 3 } {
                    let (v2, mut v3) = ((b % 31) * (y % 25), c.clone());
                } else {
                    let mut x = (b % 35) * (y % 18);
                    return (a % 21) * (c % 19) - (x % 8);
                }
            }
            0 | 2 => {
                match x % 6 {
                    1 => {
                        y /= 11;
                    }
                    _ => {
                        x = c / 4 + (b % 40);
                    }
                }
            }
            _ => {
                y %= 6;
            }
        }
        y += (x % 19);
        x + y % 1000
    }
    fn program_028(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = c / 6 + (b % 31);
        let mut y = (a + 9) % 90;
        for i1 in 0..y % 5 {
            match b % 6 {
                3..=5 => {
                    let mut v2 = x + (b % 2);
                    break;
                }
                -3..2 if c % 5 == 0 || i1 == 8 => {
                    y -= 0;
                    break;
                }
                _ => {
                    y = (y % 37) * (i1 % 25);
                }
            }
        }
        for i3 in 0..x % 3 {
            y = x.clone();
        }
        x = a - 9;
        x + y % 1000
    }
    fn program_029(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = c.clone();
        let mut y = x.clone();
        'l1: while fuel > 0 && { graph_print!("q2 {}", b); b > 2 } {
            fuel -= 1;
            loop {
                fuel -= 1;
                if fuel <= 0 {
                    break;
                }
                let p3 = b % 3 == 2;
                if b <= 3 {
                    continue 'l1;
                }
                y -= 0;
            }
            match y % 5 {
                4..=6 => {
                    y -= 3;
                }
                -4 => {
                    let (v4, mut v5) = (c.clone(), tensor(-5));
                }
                4 | 6 => {
                    y -= (a % 37);
                }
                _ => {
                    y = (b + (y % 11)) % 80;
                    return 4;
                }
            }
            if b % 5 == 1 {
                break 'l1;
            }
            x = (y % 25) * (c % 11);
        }
        y /= 22;
        x + y % 1000
    }
    fn program_030(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = a + 3;
        let mut y = (b % 2) * 4;
        for i1 in (0..x % 3).rev() {
            if a >= x && c == 4 {
                let p2 = a < 0;
            } else {
                x %= 26;
                graph_print!("g3 {} {}", y, c + (x % 11));
                break;
            }
            match x % 6 {
                -3 => {
                    y = b.clone();
                }
                _ => {
                    y = 0;
                    break;
                }
            }
            if 7 < y || x >= i1 {
                return tensor(4);
            }
            x /= 13;
        }
        y %= 10;
        c
    }
    fn program_031(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = c + 5;
        let mut y = x + 3;
        while fuel > 0 && 4 < b {
            fuel -= 1;
            let mut v1 = {
                y = (y % 40) - a;
                (a % 27) - a
            };
            graph_print!("g2 {} {}", c, x + 0);
            if { graph_print!("q3 {}", a); a > 1 } {
                y /= 21;
                y -= (x % 32);
            } else if v1 % 4 == 2 {
                x = y.clone();
            }
        }
        x = y.clone();
        x + y % 1000
    }
    fn program_032(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = a.clone();
        let mut y = tensor(3);
        if b % 5 == 0 && (y > 6 || y != 1) {
            return (x + 2) % 100;
        }
        loop {
            fuel -= 1;
            if fuel <= 0 {
                break;
            }
            for e1 in [-c - 5, 1 - c] {
                let mut x = (e1 % 5) - e1;
                let v2 = 'l3: {
                    if c >= a {
                        break 'l3 -x - 3;
                    }
                    let v4 = y + 2;
                    8 - e1
                };
            }
            y += 4;
            if y >= y && x + 1 <= y {
                continue;
            }
            y = y.clone();
        }
        x = tensor(-9);
        x + y % 1000
    }
    fn program_033(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = b - 6;
        let mut y = x.clone();
        if !(c > x) && (a % 3 == 2 || c % 4 == 0) {
            return 1;
        }
        let v1 = loop {
            fuel -= 1;
            if fuel <= 0 {
                break (c % 14) * (a % 30) - (y % 19);
            }
            let v2 = {
                x = -c - (x % 35);
                (x + (y % 5)) % 90
            };
            for i3 in 1..=2 {
                y = -y - 2;
                x = tensor(-5);
            }
        };
        y /= 6;
        if a % 4 == 0 { x } else { b + 5 }
    }
}
