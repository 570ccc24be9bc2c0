//! Random programs, written by `cargo run -p graph-tests --bin generate_programs`: change that, not this.

super::programs! {
    fn program_213(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = (b + 8) % 100;
        let mut y = tensor(8);
        while true {
            fuel -= 1;
            if fuel <= 0 {
                break;
            }
            for i1 in 0..x % 2 {
                graph_print!("g2 {c}");
                x = tensor(-5);
            }
            if 4 < c {
                continue;
            }
            y = (x + (b % 41)) % 100;
        }
        let mut k3 = 0;
        while k3 < 3 {
            k3 += 1;
            x = a.clone();
            y = 0;
        }
        if !(a >= 2 && c < (a % 35)) { a } else { (y + 3) % 100 }
    }
    fn program_214(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = a.clone();
        let mut y = (a % 36) * 1;
        let mut k1 = 0;
        while k1 < 1 {
            k1 += 1;
            while fuel > 0 && !(a != k1 && x % 2 == 2) {
                fuel -= 1;
                graph_print!("g2 {} {}", b, y / 7 + k1);
                graph_print!("g3 {b}");
                (x, y) = (y.clone(), tensor(9));
            }
            for e4 in [(y % 38) * 1, y - 8] {
                y -= k1;
            }
            x -= 8;
        }
        x += 8;
        b
    }
    fn program_215(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = (b % 16) * (b % 18);
        let mut y = c.clone();
        let v1 = if !(c % 3 == 2 && x < (c % 8)) { a } else { (y % 22) * 1 - (a % 12) };
        for i2 in 1..=x % 3 {
            x = 0;
            let p3 = a <= 6;
        }
        if x + 4 <= y {
            for i4 in v1 - 1..v1 + 0 {
                y %= 31;
            }
        } else {
            y = 0;
        }
        x + y % 1000
    }
    fn program_216(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = (c + 8) % 90;
        let mut y = b.clone();
        let v2;
        if a + 5 <= x {
            match c % 7 {
                -3..2 => {
                    if b % 2 == 2 {
                        y += (b % 33);
                        (x, y) = (c.clone(), a - (y % 13));
                        return c.clone();
                    } else if !(c > c) {
                        y /= 29;
                        x += (y % 12);
                    } else {
                        y %= 18;
                    }
                    x /= 27;
                }
                -4 => {
                    y = x.clone();
                }
                4..=6 => {
                    y = (y % 6) - c;
                    return a + (c % 31);
                }
                _ => {
                    y -= 7;
                }
            }
            v2 = tensor(2);
        } else {
            x = x + 2;
            v2 = c.clone();
        }
        x = a.clone();
        if a % 4 == 1 { b / 6 + (x % 30) } else { y - (x % 34) }
    }
    fn program_217(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = tensor(6);
        let mut y = x - 7;
        loop {
            fuel -= 1;
            if fuel <= 0 {
                break;
            }
            if x + 5 <= a {
                y = b.clone();
                y = (a % 18) * 3 - (y % 23);
            } else if a >= y {
                graph_print!("g1 {y}");
            }
            if a + 0 <= c {
                x += 6;
                continue;
            } else if !(a % 3 == 0 && a != (a % 2)) {
                y += (y % 23);
            }
            y %= 7;
            if { graph_print!("q2 {}", a); a > 4 } && 1 < x {
                continue;
            }
            y = y.clone();
        }
        x = a.clone();
        return c / 5 + (y % 7);
    }
    fn program_218(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = tensor(-3);
        let mut y = x + (x % 27);
        'l1: while fuel > 0 && !(x % 2 == 1 && !(b > y)) {
            fuel -= 1;
            for i2 in a - 1..a + 0 {
                x = y / 5 + 3;
                if x >= b || !(a > c) {
                    break 'l1;
                }
                x += (c % 8);
            }
            let mut v3 = if b == (a % 30) {
                let v4 = y + 7;
                (x % 22) * 3 - (a % 16)
            } else {
                let p5 = c >= a;
                y - (c % 21)
            };
            if v3 >= y {
                break 'l1;
            }
            v3 += 7;
        }
        x = c.clone();
        x + y % 1000
    }
    fn program_219(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = (a % 23) * 5 - (a % 31);
        let mut y = (a % 21) * (b % 39);
        loop {
            fuel -= 1;
            if fuel <= 0 {
                break;
            }
            'l1: loop {
                fuel -= 1;
                if fuel <= 0 {
                    break;
                }
                let p2 = a + 3 <= y && (4 < x || y % 4 == 0);
                let p3 = x == 4;
            }
            'l4: while fuel > 0 && { graph_print!("q5 {}", b); b > 2 } {
                fuel -= 1;
                y = (b + 7) % 110;
            }
        }
        y -= 8;
        x + y % 1000
    }
    fn program_220(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = a / 7 + (b % 26);
        let mut y = (b % 35) - b;
        if x >= b {
            if c >= b && 0 < y {
                y -= 1;
            } else {
                y -= 4;
            }
            let mut v1 = loop {
                fuel -= 1;
                if fuel <= 0 {
                    break a.clone();
                }
                x /= 30;
                x = (b % 39) - c;
            };
        }
        x %= 24;
        return c - 3;
    }
    fn program_221(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = -c - 8;
        let mut y = (x + 1) % 80;
        let mut v1 = {
            let v3;
            if x >= y {
                x += 4;
                v3 = tensor(9);
            } else {
                (x, y) = (tensor(1), y - 6);
                v3 = a.clone();
            }
            (a + (v3 % 36)) % 70
        };
        y -= (y % 18);
        if { graph_print!("q4 {}", v1); v1 > 3 } {
            y -= (y % 7);
        } else {
            x += 9;
            return b.clone();
        }
        x = v1 + 8;
        c
    }
    fn program_222(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = b.clone();
        let mut y = a / 2 + 2;
        x = 0;
        y = b.clone();
        'l1: while fuel > 0 && { graph_print!("q2 {}", y); y > 2 } {
            fuel -= 1;
            if 0 < b && (a >= y || !(c > y)) {
                y = 0;
                y += 7;
            } else if a % 4 == 2 && (a % 4 == 1 || c != (a % 26)) {
                y += (c % 41);
            }
            y = tensor(3);
        }
        y = tensor(-3);
        a
    }
    fn program_223(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = (b % 9) * (c % 25) - (a % 24);
        let mut y = c.clone();
        x /= 11;
        'l1: while true {
            fuel -= 1;
            if fuel <= 0 {
                break;
            }
            let p2 = 2 < x && a % 2 == 0;
        }
        if 1 < x && x == (y % 38) {
            while fuel > 0 && !(c > a) {
                fuel -= 1;
                'l3: while fuel > 0 && b == (x % 22) {
                    fuel -= 1;
                    y %= 27;
                }
                x -= 7;
            }
            y = (a % 32) * 1 - (x % 17);
        }
        a
    }
    fn program_224(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = -c - 8;
        let mut y = x + 1;
        loop {
            fuel -= 1;
            if fuel <= 0 {
                break;
            }
            'l1: for i2 in 0..1 {
                y = 0;
                if b >= i2 {
                    return a.clone();
                }
                x %= 12;
            }
            if y % 5 == 1 && { graph_print!("q3 {}", b); b > 5 } {
                let mut v4 = b.clone();
            }
        }
        while true {
            fuel -= 1;
            if fuel <= 0 {
                break;
            }
            x -= 4;
        }
        x -= 1;
        a
    }
    fn program_225(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = c.clone();
        let mut y = (x % 12) * 3;
        if a % 4 == 0 {
            return -y - (a % 25);
        }
        'l1: for i2 in a - 1..a + 0 {
            if !(b < 1 && a != 4) {
                x = (a % 15) * 0;
            } else if 1 < c {
                x = (c % 33) * 1 - (x % 21);
                x += 3;
            } else {
                y = 0;
            }
            if !(i2 > b) {
                break 'l1;
            }
            y %= 12;
        }
        y = tensor(-4);
        if x % 3 == 0 { y } else { c - (a % 25) }
    }
    fn program_226(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = (a % 4) * (c % 40);
        let mut y = 6 - x;
        'l1: for i2 in 0..c % 2 {
            let (v3, mut v4) = (b - 1, tensor(-2));
            for i5 in 1..=y % 4 {
                let v6 = if v3 >= c { c + 3 } else { v4 / 4 + (i2 % 30) };
                if x >= 4 && 4 < i2 {
                    continue;
                }
                v4 = 0;
            }
            let v7 = if !(x > y) && (c >= v3 || b != 4) { x + 6 } else { (i2 % 21) * (v4 % 23) };
            if v3 + 0 <= v3 || v3 % 5 == 0 {
                break 'l1;
            }
            x -= (b % 26);
        }
        loop {
            fuel -= 1;
            if fuel <= 0 {
                break;
            }
            x /= 10;
            if { graph_print!("q8 {}", y); y > 7 } && a >= a {
                break;
            }
            y = (b % 11) - a;
        }
        y = tensor(6);
        return (y % 14) - c;
    }
    fn program_227(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = a + 1;
        let mut y = a.clone();
        let mut v1 = {
            for e2 in [b + (x % 19), b / 2 + (y % 34)] {
                for i3 in 0..c % 4 {
                    y = tensor(2);
                    if c % 3 == 1 && a % 3 == 2 {
                        break;
                    }
                    x = (a % 27) * 9 - (i3 % 36);
                }
                loop {
                    fuel -= 1;
                    if fuel <= 0 {
                        break;
                    }
                    x -= 8;
                    x += 4;
                }
                x = (a % 28) * (y % 8);
            }
            (a % 25) * 6
        };
        v1 /= 31;
        a
    }
    fn program_228(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = (a % 40) - b;
        let mut y = b - 7;
        graph_print!("g1 {} {}", c, b + (y % 21));
        let mut k2 = 0;
        while k2 < 1 {
            k2 += 1;
            let mut b = match c % 7 {
                3..=5 if !(y > x) && a % 4 == 0 => (c % 39) * 9,
                -5..4 if x % 2 == 0 || y % 4 == 0 => (x % 15) * 6 - (c % 21),
                n if n > 3 => n - 3,
                n => n + 1,
            };
        }
        x = y + (c % 40);
        if b % 2 == 1 || c != (x % 9) { y } else { 4 - b }
    }
    fn program_229(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = (b % 12) - b;
        let mut y = (c % 29) * 3;
        if x == 1 && a == (c % 14) {
            let h1 = |v2: Int| if v2 > 8 { v2 - 8 } else { (c % 7) * 2 };
            let y = h1(y / 5 + (a % 36));
        } else if c % 3 == 2 {
            if c <= (c % 7) {
                while true {
                    fuel -= 1;
                    if fuel <= 0 {
                        break;
                    }
                    let (v3, mut v4) = (tensor(0), (b % 19) - c);
                    y += (a % 8);
                    v4 = (v4 + (v3 % 35)) % 70;
                }
                x = 0;
            } else {
                y = -y - 4;
                return a + (y % 38);
            }
            y = c.clone();
        }
        y = c.clone();
        if !(x > a) { (y % 9) * 4 } else { (y % 24) * 2 - (c % 36) }
    }
}
