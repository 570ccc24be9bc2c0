//! Random programs, written by `cargo run -p graph-tests --bin generate_programs`: change that, not this.

super::programs! {
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
        let mut y = 2i32 - a;
        while fuel > 0 && { graph_print!("q1 {}", c); c > 8 } {
            fuel -= 1;
            graph_print!("g2 {y}");
        }
        let h4 = |v5: Int| -> Int {
            if v5 < 6 {
                return v5 * 2;
            }
            y + 3
        };
        let mut v3 = h4(x + 1);
        return x + 2;
    }
    fn program_193(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = (c + (a % 11)) % 70;
        let mut y = b.clone();
        while fuel > 0 && { graph_print!("q1 {}", a); a > 0 } && a % 2 == 1 {
            fuel -= 1;
            let mut b = match b % 3 {
                0 | 2 => c / 4 + (c % 8),
                -5..4 => break,
                2 | 4 => -x - 7,
                _ => a - 2,
            };
        }
        let mut k2 = 0;
        while k2 < 3 {
            k2 += 1;
            for i3 in (c % 3..c % 3 + 2).step_by(2) {
                graph_print!("g4 {x}");
            }
        }
        x + y % 1000
    }
    fn program_194(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = -b - 4;
        let mut y = (c + 1) % 100;
        for e1 in [tensor(0), (a + (y % 33)) % 100] {
            let mut v2 = {
                let v3 = (a % 18) - x;
                (b % 8) * 8 - (c % 3)
            };
            for e4 in [c.clone(), -a - (v2 % 26)] {
                v2 = 0;
            }
            let mut k5 = 0;
            while k5 < 1 {
                k5 += 1;
                x = x - 5;
            }
            if c + 1 <= x {
                return v2 - 4;
            }
            v2 %= 15;
        }
        x -= (a % 10);
        if y > (y % 20) { (c + (c % 9)) % 70 } else { c + (c % 41) }
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
                x = (a % 29) - e3;
            }
        }
        y /= 23;
        x + y % 1000
    }
    fn program_197(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = c.clone();
        let mut y = a.clone();
        let h2 = |v3: Int| -> Int {
            if v3 < 7 {
                return v3 * 2;
            }
            (b + (x % 7)) % 80
        };
        let v1 = h2((a % 7) - a);
        match v1 % 5 {
            0..=2 => {
                'l4: while fuel > 0 && x + 1 <= x {
                    fuel -= 1;
                    let v5 = y + 5;
                    y %= 4;
                    if a >= b {
                        continue 'l4;
                    }
                    x -= (v1 % 3);
                }
                let v7;
                if 7 < x {
                    y = 0;
                    v7 = (x % 36) * (y % 17);
                } else {
                    y += 1;
                    v7 = v1.clone();
                }
            }
            -1..0 => {
                x = 0;
            }
            -4 => {
                y -= 6;
            }
            _ => {
                x += 4;
            }
        }
        return (a % 6) * 0;
    }
    fn program_198(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = tensor(6);
        let mut y = (b + (a % 4)) % 90;
        let mut k1 = 0;
        while k1 < 3 {
            k1 += 1;
            x += k1;
        }
        if y % 5 == 1 || x % 3 == 2 {
            let mut b = match c {
                -4..3 => return x / 5 + 1,
                2 => -x - 8,
                n if n > 7 => n - 7,
                n => n + 1,
            };
        } else {
            match b % 7 {
                -3..2 => {
                    y /= 4;
                }
                4..=6 => {
                    y = y / 3 + 5;
                }
                -5 if b == (y % 11) => {
                    x = (y % 14) * (b % 3);
                }
                _ => {
                    y -= 3;
                }
            }
            y -= 2;
            return (b % 10) * 4;
        }
        x = (a % 41) * (b % 23) - (c % 19);
        x + y % 1000
    }
    fn program_199(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = b + (b % 41);
        let mut y = (x + (c % 40)) % 100;
        if b % 5 == 0 && (a % 3 == 2 || a + 7 <= y) {
            return 1;
        }
        while fuel > 0 && (c % 5 == 0 && (c < 3 || a % 5 == 2)) {
            fuel -= 1;
            loop {
                fuel -= 1;
                if fuel <= 0 {
                    break;
                }
                match y % 6 {
                    4 => {
                        (y, x) = (y + 3, (y % 19) * (a % 26) - (a % 31));
                        x /= 15;
                    }
                    -1 if y >= y && c % 4 == 0 => {
                        y /= 30;
                    }
                    -2..1 => {
                        y = tensor(5);
                    }
                    _ => {
                        y = 0;
                    }
                }
                y = b.clone();
            }
            x = (x % 12) * (y % 5) - (x % 18);
        }
        x += 7;
        return a + 2;
    }
    fn program_200(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = -b - (a % 22);
        let mut y = x.clone();
        match y % 3 {
            -3 => {
                let mut k1 = 0;
                while k1 < 2 {
                    k1 += 1;
                    y = b + 4;
                    graph_print!("g2 {a}");
                    graph_print!("g3 {y}");
                }
                'l4: for i5 in (c % 3..c % 3 + 5).step_by(2) {
                    x -= (b % 15);
                }
            }
            2 | 4 => {
                y = tensor(2);
            }
            _ => {
                y = (x + 9) % 80;
            }
        }
        y = 3i32 - b;
        x + y % 1000
    }
    fn program_201(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = (c % 23) * (a % 26) - (b % 4);
        let mut y = (x % 16) * 4;
        match y {
            -2..1 if b >= c => {
                loop {
                    fuel -= 1;
                    if fuel <= 0 {
                        break;
                    }
                    if y > 3 && c >= a {
                        let p1 = c % 3 == 0;
                    } else if { graph_print!("q2 {}", c); c > 4 } {
                        y = a.clone();
                    } else {
                        graph_print!("g3 {b}");
                    }
                    y += (a % 13);
                }
                x /= 19;
            }
            _ => {
                y = -a - 9;
            }
        }
        y = 0;
        if a % 5 == 0 { b } else { (b % 20) * 4 - (c % 7) }
    }
    fn program_202(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = b + (b % 13);
        let mut y = c + (a % 7);
        match b {
            2 | 4 => {
                let p1 = !({ graph_print!("q2 {}", x); x > 4 } && b < (x % 41));
                while fuel > 0 && x < 6 {
                    fuel -= 1;
                    for i3 in 1..=2 {
                        x = (y % 33) * 1;
                        x = (b % 10) - x;
                        y += i3;
                        if c >= (y % 22) {
                            break;
                        }
                        x = tensor(5);
                    }
                }
                return (c % 3) * (a % 17) - (c % 28);
            }
            1..=3 => {
                y -= 5;
            }
            _ => {
                x = tensor(2);
            }
        }
        x = a.clone();
        return -a - 1;
    }
    fn program_203(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = tensor(-5);
        let mut y = c - (c % 38);
        let h1 = |v2: Int| -> Int {
            if v2 < 7 {
                return v2 * 2;
            }
            y + 4
        };
        let x = h1((a % 2) - a);
        let v4;
        if y >= b && a % 5 == 2 {
            let mut v5 = c + 3;
            v4 = y.clone();
        } else {
            let (v6, mut v7) = (-b - 4, (c + 9) % 120);
            v4 = c + 2;
        }
        'l8: while fuel > 0 && a % 5 == 2 {
            fuel -= 1;
            match y {
                -4..3 => {
                    y += 7;
                }
                1..=3 => {
                    y += 4;
                }
                -2..1 => {
                    y += (c % 41);
                }
                _ => {
                    y = -y - 2;
                }
            }
            y = y + (v4 % 38);
        }
        y = x.clone();
        return x + (v4 % 27);
    }
    fn program_204(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = 6i32 - c;
        let mut y = c + (c % 32);
        let p1 = a % 4 == 0;
        let mut x = loop {
            fuel -= 1;
            if fuel <= 0 {
                break (y + 4) % 110;
            }
            'l2: for i3 in a - 1..a + 3 {
                graph_print!("g4 {} {}", a, b + 1);
                x = i3.clone();
            }
        };
        let mut k5 = 0;
        while k5 < 3 {
            k5 += 1;
            y += (b % 30);
        }
        x = -x - 1;
        x + y % 1000
    }
    fn program_205(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = c.clone();
        let mut y = b / 5 + 8;
        let mut k1 = 0;
        while k1 < 2 {
            k1 += 1;
            if k1 == 2 {
                x += 4;
            }
        }
        for i2 in a - 1..a + 0 {
            if i2 >= x && b <= (i2 % 35) {
                y = tensor(-3);
                y = tensor(0);
            }
            y = i2.clone();
            if 7 < x && b % 4 == 1 {
                break;
            }
            y += (x % 15);
        }
        y = -y - 5;
        return (x % 18) * 4 - (b % 16);
    }
}
