//! Random programs, written by `cargo run -p graph-tests --bin generate_programs`: change that, not this.

super::programs! {
    fn program_176(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = b + 8;
        let mut y = c + 3;
        x -= 8;
        match c % 7 {
            1 => {
                let v1 = 'l2: {
                    if !(y >= b && c >= y) {
                        break 'l2 x - (y % 33);
                    }
                    x = 0;
                    c + 1
                };
                while fuel > 0 && !(x > a) {
                    fuel -= 1;
                    x += 2;
                    x += (v1 % 10);
                }
            }
            3 | 5 => {
                y = tensor(-8);
            }
            -1 if 8 < c || y >= (a % 31) => {
                x = 0;
            }
            _ => {
                x = 0;
            }
        }
        x + y % 1000
    }
    fn program_177(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = b + 1;
        let mut y = (x % 22) * 1;
        for e1 in [x.clone(), c + (x % 12)] {
            match y % 6 {
                4 if e1 >= 5 => {
                    x = -c - 5;
                    x /= 3;
                    return a.clone();
                }
                -5..4 if y % 2 == 1 => {
                    x = y / 3 + 3;
                }
                -5..4 if a <= 1 && y != (b % 8) => {
                    y = c + 0;
                }
                _ => {
                    y -= 4;
                }
            }
            x += 7;
            if y >= e1 && e1 + 2 <= e1 {
                break;
            }
            y = 0;
        }
        x /= 27;
        a
    }
    fn program_178(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = b.clone();
        let mut y = (x + 5) % 90;
        let v2;
        if y + (y % 14) <= y {
            for i3 in 0..x % 4 {
                while fuel > 0 && { graph_print!("q4 {}", y); y > 3 } {
                    fuel -= 1;
                    let p5 = b != (y % 31);
                    graph_print!("g6 {} {}", y, x - 8);
                }
                let h8 = |v9: Int| -> Int {
                    if v9 < 2 {
                        return v9 * 2;
                    }
                    -c - 4
                };
                let mut v7 = h8(a / 5 + 6);
                if x >= 2 && { graph_print!("q10 {}", i3); i3 > 1 } {
                    continue;
                }
                x = i3.clone();
            }
            v2 = b + 7;
        } else {
            x = a.clone();
            v2 = (c % 7) * (b % 20);
        }
        x = b + 2;
        x + y % 1000
    }
    fn program_179(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = a + 2;
        let mut y = a.clone();
        for e1 in [x.clone(), y + 2] {
            let mut k2 = 0;
            while k2 < 1 {
                k2 += 1;
                let (v3, mut v4) = (tensor(6), a / 5 + 3);
                y = y + k2;
            }
            if !(5 < b && x % 3 == 1) {
                return -c - (c % 27);
            }
            let h6 = |v7: Int| -> Int {
                if v7 < 0 {
                    return v7 * 2;
                }
                (a % 34) * (e1 % 40) - (c % 5)
            };
            let mut v5 = h6(y - 7);
            if !(v5 % 2 == 0 && a % 2 == 1) {
                continue;
            }
            v5 = a - 1;
        }
        x -= (b % 10);
        if a >= c { (x % 5) * (c % 7) } else { b - (a % 37) }
    }
    fn program_180(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = a.clone();
        let mut y = (a + (c % 14)) % 90;
        if x + 3 <= a {
            return x.clone();
        }
        'l1: for i2 in c - 1..c + 1 {
            let mut k3 = 0;
            while k3 < 1 {
                k3 += 1;
                graph_print!("g4 {} {}", c, b + k3);
            }
            if b >= i2 && i2 > 0 {
                x = c.clone();
            } else {
                x /= 25;
                continue 'l1;
            }
            y %= 21;
        }
        y /= 14;
        x
    }
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
        let mut y = 6i32 - a;
        let p1 = a >= (x % 7);
        'l2: while fuel > 0 && b % 3 == 1 {
            fuel -= 1;
            x += 6;
            for i3 in b - 1..b + 1 {
                match x % 5 {
                    -3 => {
                        y = b.clone();
                    }
                    -1 if !(y > x) && y >= (i3 % 6) => {
                        x -= (i3 % 15);
                    }
                    _ => {
                        x = x.clone();
                    }
                }
                if b <= 7 {
                    break;
                }
                y -= (c % 40);
            }
            y = 2i32 - b;
        }
        y = b / 7 + 2;
        x + y % 1000
    }
    fn program_183(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = b / 7 + 2;
        let mut y = (b % 29) - a;
        'l1: while true {
            fuel -= 1;
            if fuel <= 0 {
                break;
            }
            let mut v2 = if c >= y {
                let (v3, mut v4) = (x.clone(), 5i32 - x);
                c + (y % 3)
            } else {
                graph_print!("g5 {y}");
                break 'l1
            };
        }
        let mut b = {
            if x % 2 == 1 && (x > 1 || x >= y) {
                return (x % 6) * 4;
            }
            y / 6 + 4
        };
        return y + 7;
    }
    fn program_184(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = (b % 24) * (a % 20) - (c % 14);
        let mut y = c - (b % 22);
        match b % 6 {
            2 => {
                match c {
                    1..=3 if b == (c % 34) && y % 3 == 1 => {
                        let h3 = |v4: Int| if v4 > 6 { v4 - 6 } else { (y % 22) * (b % 20) };
                        let mut v2 = h3(7i32 - b);
                        let c = loop {
                            fuel -= 1;
                            if fuel <= 0 {
                                break y.clone();
                            }
                            let p5 = b % 3 == 0 && c < 2;
                            v2 = tensor(4);
                            v2 /= 2;
                            if p5 {
                                continue;
                            }
                            v2 = 0;
                        };
                    }
                    -2 => {
                        y = (a % 8) * 3;
                    }
                    1 => {
                        y = x.clone();
                        return 3;
                    }
                    _ => {
                        y = x.clone();
                    }
                }
                return a + 3;
            }
            2..=4 if a >= x && (c >= a || { graph_print!("q1 {}", c); c > 0 }) => {
                x -= (b % 16);
            }
            4 => {
                y -= 1;
                return y / 7 + 8;
            }
            _ => {
                x += 7;
            }
        }
        x %= 2;
        return (a + 7) % 90;
    }
    fn program_185(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = c.clone();
        let mut y = a / 7 + (b % 36);
        let x = {
            for e1 in [(x % 14) * 7 - (y % 24), x + (x % 40)] {
                let mut a = tensor(-8);
                let p2 = !(x >= 2 && 8 < b);
                x = tensor(3);
            }
            (y + (c % 6)) % 120
        };
        loop {
            fuel -= 1;
            if fuel <= 0 {
                break;
            }
            y -= (a % 6);
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
            for e2 in [4i32 - x, b / 7 + 3] {
                y = x.clone();
                graph_print!("g3 {c}");
                x = (x + 2) % 80;
            }
            x += (x % 31);
            if x % 3 == 2 {
                break;
            }
            y += (y % 12);
        }
        x -= 7;
        x
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
                y = 2i32 - c;
            }
        }
        x += 4;
        x + y % 1000
    }
    fn program_189(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = (b + 2) % 110;
        let mut y = x - (x % 28);
        match y % 4 {
            -1..0 => {
                let mut y = 'l1: {
                    if !(c > b) || y == 4 {
                        break 'l1 (b % 11) - y;
                    }
                    y %= 14;
                    (c + 5) % 70
                };
                if { graph_print!("q2 {}", x); x > 0 } || y % 4 == 2 {
                    return (c + 2) % 110;
                }
            }
            -1..0 => {
                for i3 in (0..a % 2).rev() {
                    graph_print!("g4 {y}");
                    y = a + 2;
                    if a >= c {
                        continue;
                    }
                    x -= 5;
                }
                x -= 3;
            }
            -5 => {
                y = (c % 31) * (b % 34);
            }
            _ => {
                y = 0;
            }
        }
        x = b + 3;
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
                    (x, y) = ((a % 17) - a, c - (a % 17));
                    break;
                }
                _ => {
                    let c = x - (x % 30);
                    y = c.clone();
                    break;
                }
            }
        }
        x += (b % 10);
        if b == 9 { (c % 31) - b } else { (x % 12) * (b % 17) - (b % 11) }
    }
}
