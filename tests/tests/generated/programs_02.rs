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
            (a % 2) - y
        } else {
            for i3 in (0..a % 2).rev() {
                y = x.clone();
                if !(x > a) {
                    break;
                }
                x %= 20;
            }
            c / 4 + 6
        };
        'l4: while fuel > 0 && 4 < c && v1 + 0 <= v1 {
            fuel -= 1;
            y -= 3;
            if { graph_print!("q5 {}", a); a > 3 } && y == 2 {
                return v1.clone();
            }
            x = -a - 3;
        }
        x = 0;
        if y != (c % 30) && a >= c { a } else { a / 3 + 7 }
    }
    fn program_018(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = tensor(-4);
        let mut y = c + 1;
        let y = 'l1: {
            if c + 1 <= b {
                break 'l1 y - 1;
            }
            y = 0;
            x + 8
        };
        if { graph_print!("q2 {}", y); y > 5 } && !(c > x) {
            let h4 = |v5: Int| -> Int {
                if v5 < 8 {
                    return v5 * 2;
                }
                (x % 18) * 6
            };
            let mut v3 = h4(a - 3);
            if a >= b {
                v3 /= 19;
                return 6;
            } else if c % 3 == 2 {
                v3 /= 12;
            } else {
                v3 = x + 8;
            }
        } else {
            x += (c % 16);
            return 6;
        }
        x -= (x % 17);
        b
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
        for e1 in [tensor(3), (y % 25) - c] {
            'l2: while fuel > 0 && y % 5 == 2 {
                fuel -= 1;
                x -= 6;
            }
            if !(a > x) || y >= c {
                continue;
            }
            y += (y % 7);
        }
        for e3 in [x.clone(), a / 5 + 2] {
            if a >= x {
                let mut v4 = b.clone();
            } else {
                x = e3 + 6;
            }
            if 2 < b && { graph_print!("q5 {}", b); b > 3 } {
                break;
            }
            x /= 8;
        }
        y = (b % 7) * 6;
        x + y % 1000
    }
    fn program_021(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = 2i32 - c;
        let mut y = (c % 15) * (a % 33);
        if y >= b && (b + (x % 5) <= a || b <= 9) {
            let y = loop {
                fuel -= 1;
                if fuel <= 0 {
                    break (b % 21) * 0;
                }
                y = a / 7 + (b % 25);
            };
            'l1: for i2 in 0..x % 3 {
                let (v3, mut v4) = (4i32 - b, c / 4 + (y % 31));
                if { graph_print!("q5 {}", a); a > 5 } && (v3 >= v4 || x != 2) {
                    break 'l1;
                }
                x += (i2 % 32);
            }
            return y / 4 + 7;
        }
        if x >= x || x + (a % 30) <= b {
            y /= 3;
            return y + 9;
        }
        x
    }
    fn program_022(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = 7i32 - a;
        let mut y = c / 2 + (x % 11);
        match a % 3 {
            1 if !(b >= a && y % 4 == 0) => {
                let mut k1 = 0;
                while k1 < 1 {
                    k1 += 1;
                    (x, y) = (a + (y % 13), a.clone());
                    let p2 = b + 7 <= a;
                    y = 0;
                }
            }
            _ => {
                let v3 = a.clone();
                y %= 13;
            }
        }
        x = x / 5 + 1;
        if x == (a % 3) && a % 4 == 0 { a } else { x - 2 }
    }
    fn program_023(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = a / 5 + (c % 38);
        let mut y = a.clone();
        if y + 2 <= y && { graph_print!("q1 {}", b); b > 8 } {
            y = 0;
            for i2 in 0..x % 4 {
                graph_print!("g3 {c}");
                y = (y % 5) * 1;
            }
        } else {
            while fuel > 0 && (b % 5 == 2 || c == (y % 18)) {
                fuel -= 1;
                y /= 5;
            }
        }
        x = y + 2;
        x + y % 1000
    }
    fn program_024(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = 3i32 - b;
        let mut y = a.clone();
        let v1 = {
            if b % 2 == 2 {
                let p2 = c >= (b % 8);
                y += 7;
            }
            4i32 - b
        };
        match x {
            -4..3 => {
                let v3 = if b >= v1 {
                    y %= 4;
                    y - 7
                } else {
                    y = a + 1;
                    return (y % 30) * (a % 38)
                };
            }
            -5..4 => {
                x += 8;
                return v1.clone();
            }
            0..=2 if b < 9 => {
                x /= 2;
            }
            _ => {
                y = 2i32 - b;
            }
        }
        y -= 3;
        return v1 / 2 + (a % 13);
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
                    x = (c % 19) - x;
                    y = c / 7 + 1;
                } else {
                    y = (x % 39) * (a % 32);
                    x += 8;
                }
                if !(c >= a && !(a > c)) {
                    continue;
                }
                x /= 4;
            }
            return c - (x % 28);
        }
        x -= 9;
        c
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
                    let mut c = x + (b % 2);
                }
                -3..2 if c % 5 == 0 || i1 == 8 => {
                    x = b - 0;
                    y /= 19;
                }
                _ => {
                    y = (c % 34) * (y % 37);
                    x -= 9;
                }
            }
        }
        y = tensor(5);
        if b != (y % 36) { -1 } else { (b % 9) - a }
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
                y = (x % 27) - a;
                a - 4
            };
            'l2: while true {
                fuel -= 1;
                if fuel <= 0 {
                    break;
                }
                x -= 4;
                let v3 = y - (c % 36);
                if !(x > b) && y % 4 == 2 {
                    break 'l2;
                }
                x += 2;
            }
            y = 7i32 - y;
        }
        x = (a + 2) % 90;
        x + y % 1000
    }
}
