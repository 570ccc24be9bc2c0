//! Random programs, written by `cargo run -p graph-tests --bin generate_programs`: change that, not this.

super::programs! {
    fn program_181(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = c.clone();
        let mut y = tensor(-7);
        let mut v1 = loop {
            fuel -= 1;
            if fuel <= 0 {
                break (c + (y % 20)) % 120;
            }
            (x, y) = ((b % 33) * (c % 6), c + 4);
            if x >= a {
                return 3;
            }
            if a <= (y % 18) {
                break (y % 36) * (a % 26);
            }
            y = 0;
        };
        'l2: for i3 in 1..=3 {
            for i4 in a - 1..a + 3 {
                y += (y % 2);
            }
            x = (c % 27) * 4;
        }
        return v1 - 2;
    }
    fn program_182(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = (b % 18) * (c % 21) - (b % 14);
        let mut y = 1 - a;
        for e1 in [(c + 7) % 100, (x + (a % 30)) % 70] {
            while fuel > 0 && (b == 2 && (y <= (e1 % 18) || b >= 3)) {
                fuel -= 1;
                let mut k2 = 0;
                while k2 < 1 {
                    k2 += 1;
                    (y, x) = ((y % 24) * (c % 4), (x % 22) * (e1 % 6) - (a % 17));
                    let y = x + (e1 % 15);
                    let (v3, mut v4) = (e1 + 7, -a - k2);
                }
                x /= 17;
            }
            y %= 24;
            if e1 % 4 == 1 && e1 >= c {
                break;
            }
            y %= 22;
        }
        x = tensor(0);
        return (c % 23) * (x % 23);
    }
    fn program_183(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = b / 7 + 2;
        let mut y = 4 - a;
        (x, y) = (a.clone(), (y % 41) * 0 - (c % 31));
        'l1: for i2 in 0..c % 4 {
            let mut v3 = {
                if !(b >= 3 && y >= (a % 34)) {
                    return i2 + (b % 5);
                }
                (b + 0) % 100
            };
            (x, v3) = (tensor(-1), -y - 6);
            y = (v3 % 10) - i2;
            if !(y > x) {
                continue 'l1;
            }
            x = i2 - 7;
        }
        x -= (a % 35);
        if !(x >= x && b >= y) { (x + (b % 31)) % 100 } else { (y % 5) * (c % 15) - (a % 21) }
    }
    fn program_184(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = (b % 24) * (a % 20) - (c % 14);
        let mut y = c - (b % 22);
        match b % 6 {
            2 => {
                match c {
                    1..=3 if b == (c % 34) && y % 3 == 1 => {
                        let h3 = |v4: Int| if v4 > 6 { v4 - 6 } else { b + 3 };
                        let mut v2 = h3((y % 16) - b);
                        loop {
                            fuel -= 1;
                            if fuel <= 0 {
                                break;
                            }
                            graph_print!("g5 {a}");
                        }
                    }
                    -2 => {
                        let mut k6 = 0;
                        while k6 < 3 {
                            k6 += 1;
                            x = tensor(-1);
                        }
                        x -= 1;
                    }
                    1 => {
                        x += 1;
                    }
                    _ => {
                        y = y.clone();
                    }
                }
            }
            2..=4 if a >= x && (c >= a || { graph_print!("q1 {}", c); c > 0 }) => {
                x %= 19;
            }
            4 => {
                x = a + 1;
            }
            _ => {
                y = 0;
            }
        }
        x -= (a % 35);
        x
    }
    fn program_185(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = c.clone();
        let mut y = a / 7 + (b % 36);
        let mut v1 = if { graph_print!("q2 {}", b); b > 6 } && c + (c % 36) <= a { x + (x % 40) } else { 5 - a };
        'l3: while fuel > 0 && !(y >= c && { graph_print!("q4 {}", y); y > 5 }) {
            fuel -= 1;
            while fuel > 0 && (v1 == 4 && (b < 4 || c < 4)) {
                fuel -= 1;
                v1 -= (a % 2);
            }
            if v1 != 2 {
                return x / 5 + 0;
            }
            x %= 2;
        }
        x + y % 1000
    }
    fn program_186(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = c.clone();
        let mut y = tensor(9);
        if a % 2 == 1 {
            return x.clone();
        }
        for i1 in 1..=2 {
            for e2 in [1 - x, c / 4 + 1] {
                y = (e2 + (c % 32)) % 90;
                y = a.clone();
                let v3 = (c % 39) * 1 - (a % 19);
            }
            x = (y + (c % 12)) % 100;
        }
        y %= 16;
        if !(a % 2 == 1 && x + (a % 36) <= x) { a } else { (a % 39) * 2 - (b % 31) }
    }
    fn program_187(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = b + 4;
        let mut y = tensor(0);
        let mut k1 = 0;
        while k1 < 2 {
            k1 += 1;
            for i2 in 0..1 {
                let p3 = c <= 5;
            }
            while fuel > 0 && !(!(a > c) && y <= (y % 2)) {
                fuel -= 1;
                let (v4, mut v5) = (-y - 6, x / 5 + k1);
                v5 = 0;
            }
        }
        x += (a % 6);
        return b + (c % 22);
    }
    fn program_188(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = a.clone();
        let mut y = (b % 38) * (b % 23);
        if x % 2 == 2 {
            if c % 3 == 1 || !(b > x) {
                y = c.clone();
            } else {
                x = 0;
            }
            for i1 in x - 1..x + 0 {
                y /= 27;
                x /= 30;
                if x > (b % 21) && 0 < y {
                    continue;
                }
                y = 4 - c;
            }
            return 7 - x;
        }
        x = y.clone();
        y
    }
    fn program_189(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = (b + 2) % 110;
        let mut y = x - (x % 28);
        match y % 4 {
            -1..0 => {
                let v1 = match y {
                    1 => b,
                    -2 => return b + 1,
                    2..=4 if b < 1 => x,
                    _ => -x - 8,
                };
                let v2 = {
                    x = 0;
                    v1 - (v1 % 36)
                };
                return 0;
            }
            -1..0 => {
                while fuel > 0 && x >= b {
                    fuel -= 1;
                    y = c.clone();
                    x %= 20;
                }
                return (c % 22) * 4;
            }
            -5 => {
                x = tensor(-5);
            }
            _ => {
                x += 8;
                return (y % 41) * 4 - (c % 9);
            }
        }
        y -= 7;
        x + y % 1000
    }
    fn program_190(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = (a % 19) * (c % 27) - (a % 11);
        let mut y = b + 2;
        for e1 in [y.clone(), tensor(-6)] {
            match c {
                -5 if { graph_print!("q2 {}", x); x > 7 } => {
                    let a = e1 / 7 + 6;
                    y = b - 2;
                }
                -2 => {
                    let (v3, mut v4) = ((b % 18) - a, a.clone());
                    break;
                }
                _ => {
                    graph_print!("g5 {a}");
                }
            }
        }
        x = 0;
        if { graph_print!("q6 {}", x); x > 2 } && y < 1 { (b % 10) * 0 } else { a + 1 }
    }
    fn program_191(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = (a % 9) * (a % 2) - (c % 16);
        let mut y = (a % 14) * (c % 22);
        while fuel > 0 && y + 5 <= c {
            fuel -= 1;
            'l1: for i2 in 1..=c % 5 {
                for e3 in [(c + 7) % 70, (y % 41) * 6] {
                    x -= 9;
                    x = b / 2 + 1;
                }
                if c <= (c % 27) || b >= a {
                    return a + (i2 % 25);
                }
                x = tensor(-2);
            }
            for i4 in 0..3 {
                y %= 5;
                if i4 != 0 {
                    break;
                }
                x -= 2;
            }
        }
        x = -b - (x % 5);
        x
    }
    fn program_192(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = a + (b % 19);
        let mut y = (a % 23) - a;
        loop {
            fuel -= 1;
            if fuel <= 0 {
                break;
            }
            if { graph_print!("q1 {}", y); y > 8 } {
                graph_print!("g2 {} {}", b, (y + (a % 32)) % 100);
                if !(y == (x % 30) && y > (a % 8)) {
                    y %= 12;
                    y -= 5;
                } else {
                    x %= 30;
                }
                continue;
            } else if y < 9 && { graph_print!("q3 {}", x); x > 5 } {
                x += (y % 36);
            }
            if { graph_print!("q4 {}", y); y > 5 } || b >= b {
                continue;
            }
            y = x.clone();
        }
        y %= 25;
        x + y % 1000
    }
    fn program_193(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = (c + (a % 11)) % 70;
        let mut y = b.clone();
        while fuel > 0 && { graph_print!("q1 {}", a); a > 0 } && a % 2 == 1 {
            fuel -= 1;
            let v3;
            if b + 1 <= x && a + 7 <= a {
                x = b.clone();
                v3 = c.clone();
            } else {
                y = b + 7;
                v3 = b.clone();
            }
        }
        'l4: while fuel > 0 && { graph_print!("q5 {}", c); c > 5 } {
            fuel -= 1;
            y %= 13;
        }
        x + y % 1000
    }
    fn program_194(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = -b - 4;
        let mut y = (c + 1) % 100;
        for e1 in [tensor(0), (a + (y % 33)) % 100] {
            let mut v2 = {
                let mut v3 = (b % 15) - x;
                e1 / 6 + 1
            };
            loop {
                fuel -= 1;
                if fuel <= 0 {
                    break;
                }
                v2 += 3;
            }
            while fuel > 0 && !(e1 % 2 == 0 && a == (c % 3)) {
                fuel -= 1;
                y += 5;
            }
        }
        x += (a % 25);
        return -b - 3;
    }
    fn program_195(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = b - 3;
        let mut y = (c % 37) * (b % 11) - (a % 24);
        'l1: for i2 in (0..2).rev() {
            let v3 = match a % 4 {
                2 => a,
                _ => b + (b % 39),
            };
            for e4 in [y.clone(), tensor(0)] {
                let y = y / 7 + 8;
            }
        }
        if b % 4 == 2 && 2 < y {
            let v5 = if 8 < a { (a + 2) % 110 } else { a + 8 };
            x -= 1;
        } else if a % 5 == 0 && 2 < c {
            x += 0;
            return y / 2 + 6;
        } else {
            y = -y - (b % 21);
        }
        x += 6;
        x + y % 1000
    }
    fn program_196(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = (c + (b % 16)) % 100;
        let mut y = a - (b % 9);
        'l1: while fuel > 0 && (x <= (a % 8) && (a >= a || a >= y)) {
            fuel -= 1;
            'l2: while fuel > 0 && c != (b % 8) {
                fuel -= 1;
                (x, y) = (a.clone(), -b - (b % 8));
            }
            for e3 in [(c % 13) * 3, (a + 5) % 70] {
                x -= (y % 19);
                let p4 = { graph_print!("q5 {}", c); c > 5 } || c != 3;
                x = 8 - e3;
            }
            if x == 2 {
                break 'l1;
            }
            x += (y % 32);
        }
        y = 0;
        if b >= x { x } else { 0 - a }
    }
    fn program_197(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = c.clone();
        let mut y = a.clone();
        let h2 = |v3: Int| if v3 > 7 { v3 - 7 } else { -a - 3 };
        let v1 = h2(4 - a);
        if c != (v1 % 24) {
            let mut v4 = match c % 5 {
                3..=5 => return (v1 % 15) * (b % 28),
                -5..4 if !(b > a) && (!(x > v1) || x >= y) => return x - 1,
                3..=5 => v1,
                n if n > 6 => n - 6,
                n => n + 1,
            };
        } else if b < 0 || c >= (x % 36) {
            if !(y != 0 && y < 1) {
                y = v1.clone();
                return (c % 38) - v1;
            } else if !(b > a) {
                y = c + (x % 5);
            }
            y = c + 4;
        } else {
            x += 1;
            return 6;
        }
        v1
    }
}
