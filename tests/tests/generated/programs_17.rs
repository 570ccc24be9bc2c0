//! Random programs, written by `cargo run -p graph-tests --bin generate_programs`: change that, not this.

super::programs! {
    fn program_264(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = a + 8;
        let mut y = (x + (c % 13)) % 100;
        'l1: loop {
            fuel -= 1;
            if fuel <= 0 {
                break;
            }
            (y, x) = (x.clone(), (y % 6) * 4);
            'l2: loop {
                fuel -= 1;
                if fuel <= 0 {
                    break;
                }
                let (v3, mut v4) = (tensor(-5), tensor(-4));
            }
            if a % 5 == 0 && a >= a {
                continue 'l1;
            }
            x = -x - 8;
        }
        match x % 7 {
            1 if !(y >= x && a >= (c % 8)) => {
                y = a.clone();
            }
            4 | 6 if 0 < a => {
                y = c / 4 + 2;
            }
            _ => {
                y += (x % 34);
            }
        }
        y += 4;
        return x / 3 + 1;
    }
    fn program_265(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = b - (b % 21);
        let mut y = -b - 3;
        while fuel > 0 && !(y >= c && y % 2 == 1) {
            fuel -= 1;
            let v1 = if !(a > b) { x } else { (x % 22) * 3 - (b % 23) };
        }
        if y >= a {
            while fuel > 0 && (y <= 2 || c != (a % 7)) {
                fuel -= 1;
                let (v2, mut v3) = (a.clone(), a.clone());
                x += 5;
            }
            x %= 30;
        }
        return (y + (x % 27)) % 120;
    }
    fn program_266(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = -c - (b % 41);
        let mut y = c / 7 + 1;
        match y % 4 {
            4 | 6 => {
                let v2;
                if c >= 9 {
                    y += (a % 4);
                    v2 = b.clone();
                } else {
                    graph_print!("g3 {y}");
                    v2 = y.clone();
                }
                if !(v2 < 1 && { graph_print!("q4 {}", y); y > 7 }) {
                    graph_print!("g5 {} {}", v2, (a % 11) * 8);
                } else if v2 % 3 == 1 || { graph_print!("q6 {}", b); b > 0 } {
                    x = (a + 4) % 110;
                }
            }
            3..=5 => {
                y /= 21;
            }
            _ => {
                y = (a + 3) % 90;
                return 1;
            }
        }
        x = y + 3;
        y
    }
    fn program_267(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = (c + (a % 4)) % 70;
        let mut y = a / 2 + 4;
        while fuel > 0 && y >= c {
            fuel -= 1;
            while fuel > 0 && 4 < a && a % 3 == 1 {
                fuel -= 1;
                let v2;
                if !(y % 2 == 0 && x != (c % 29)) {
                    y = tensor(-2);
                    v2 = c + 9;
                } else {
                    graph_print!("g3 {} {}", x, (b % 28) * 2);
                    v2 = x.clone();
                }
            }
            let mut v4 = match x % 5 {
                3 => (a % 9) - b,
                1 | 3 => x,
                n if n > 4 => n - 4,
                n => n + 1,
            };
        }
        x = 0;
        x + y % 1000
    }
    fn program_268(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = -b - 9;
        let mut y = -x - (a % 8);
        for i1 in 0..3 {
            let mut x = loop {
                fuel -= 1;
                if fuel <= 0 {
                    break (a + (y % 39)) % 120;
                }
                if !(c > y) {
                    graph_print!("g2 {b}");
                } else {
                    (y, x) = (x + 6, x.clone());
                }
                while fuel > 0 && y + 4 <= x {
                    fuel -= 1;
                    x /= 29;
                }
                x = 0;
            };
            x = x.clone();
            if a % 2 == 2 {
                return c.clone();
            }
            y = c.clone();
        }
        y += (b % 11);
        return (y % 10) - x;
    }
    fn program_269(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = (a % 2) * (b % 30);
        let mut y = tensor(1);
        let h2 = |v3: Int| -> Int {
            if v3 < 6 {
                return v3 * 2;
            }
            4 - y
        };
        let v1 = h2(-a - (c % 20));
        while true {
            fuel -= 1;
            if fuel <= 0 {
                break;
            }
            let mut v4 = 'l5: {
                if 7 < y {
                    break 'l5 3 - y;
                }
                y = v1.clone();
                (c % 39) * (a % 36)
            };
        }
        'l6: while fuel > 0 && 4 < c {
            fuel -= 1;
            if a % 4 == 1 {
                y = -y - 6;
            }
            y = a.clone();
            if y > 3 && y != (a % 21) {
                return x.clone();
            }
            y = tensor(6);
        }
        x /= 7;
        x + y % 1000
    }
    fn program_270(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = c.clone();
        let mut y = x.clone();
        if b % 4 == 0 {
            if y < (b % 26) {
                x = c.clone();
            } else {
                if b >= x && x > (y % 32) {
                    x = c - (x % 21);
                }
                let v1 = match b % 7 {
                    0 | 2 => (a + (b % 14)) % 100,
                    4 => 3 - a,
                    3 => c - (a % 36),
                    _ => (y % 33) * 7,
                };
            }
            y -= 1;
        } else if { graph_print!("q2 {}", y); y > 4 } || y % 2 == 0 {
            y += (y % 26);
        }
        x = c / 5 + 1;
        x
    }
    fn program_271(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = -a - 2;
        let mut y = x.clone();
        loop {
            fuel -= 1;
            if fuel <= 0 {
                break;
            }
            y = (a % 14) * 7;
            if 2 < x {
                break;
            }
            x = 0;
        }
        let v1;
        if x % 2 == 1 {
            y += (a % 35);
            v1 = b - (x % 9);
        } else {
            if !(4 < x && y >= y) {
                graph_print!("g2 {} {}", b, (y + (a % 36)) % 110);
                x += 3;
                return c.clone();
            }
            v1 = a + (b % 40);
        }
        y = x.clone();
        b
    }
    fn program_272(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = 1 - c;
        let mut y = c.clone();
        let h2 = |v3: Int| if v3 > 2 { v3 - 2 } else { y - 5 };
        let mut v1 = h2(y + 1);
        match a {
            2..=4 => {
                match y % 5 {
                    3..=5 if !(c > y) => {
                        y /= 5;
                        x = a.clone();
                    }
                    _ => {
                        v1 = tensor(2);
                        y = 0;
                        return 3;
                    }
                }
                return 0;
            }
            3 | 5 if !(x > (y % 32) && x >= a) => {
                v1 += 6;
            }
            -1 => {
                y -= (y % 11);
                return (x % 2) * 0 - (y % 33);
            }
            _ => {
                v1 -= (x % 27);
            }
        }
        y -= (v1 % 7);
        x
    }
    fn program_273(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = 3 - c;
        let mut y = c.clone();
        loop {
            fuel -= 1;
            if fuel <= 0 {
                break;
            }
            if y <= 5 {
                'l1: while fuel > 0 && x < 4 {
                    fuel -= 1;
                    x = b - (c % 39);
                    x -= (b % 16);
                    let p2 = c % 2 == 0 && a == 3;
                }
                continue;
            } else if a > (x % 33) {
                x = (y % 28) - y;
            }
            if { graph_print!("q3 {}", c); c > 8 } && y < 1 {
                break;
            }
            y = tensor(1);
        }
        y += (x % 18);
        return a + 4;
    }
    fn program_274(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = b.clone();
        let mut y = b.clone();
        if !(b > a) {
            let (v1, mut v2) = (y / 3 + (a % 5), y / 2 + 1);
            return b / 6 + 6;
        } else if x >= (c % 32) && b >= b {
            while fuel > 0 && !(c > c) {
                fuel -= 1;
                let (v3, mut v4) = (x - 0, y.clone());
                if !(a < 2 && v3 % 4 == 2) {
                    continue;
                }
                y -= 5;
            }
            let mut k5 = 0;
            while k5 < 2 {
                k5 += 1;
                y = (c % 19) * (c % 15) - (x % 37);
                y = 6 - c;
            }
        }
        x = y + 2;
        a
    }
    fn program_275(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = a / 6 + 0;
        let mut y = a / 2 + (b % 37);
        if !(b > a) && !(y > y) {
            match x % 5 {
                -1..0 => {
                    x = b.clone();
                }
                -2 if x % 5 == 2 && a % 2 == 0 => {
                    x += (y % 29);
                }
                _ => {
                    y += (a % 30);
                    return (x % 21) * (c % 17) - (y % 27);
                }
            }
        } else if b >= b || { graph_print!("q1 {}", a); a > 5 } {
            loop {
                fuel -= 1;
                if fuel <= 0 {
                    break;
                }
                y /= 11;
                if y == 1 && ({ graph_print!("q2 {}", c); c > 1 } || y <= 9) {
                    continue;
                }
                y += 4;
            }
            x = -b - 4;
        } else {
            x /= 10;
        }
        x %= 21;
        return b / 2 + 3;
    }
    fn program_276(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = b - 3;
        let mut y = (c % 12) * (x % 15);
        for e1 in [(c + 2) % 80, 1 - x] {
            'l2: while fuel > 0 && (a <= 4 && (e1 < (c % 26) || b >= x)) {
                fuel -= 1;
                (x, y) = ((b % 19) * 2 - (e1 % 11), tensor(10));
            }
            x -= 4;
            let p3 = y % 2 == 0 && 5 < a;
        }
        loop {
            fuel -= 1;
            if fuel <= 0 {
                break;
            }
            x += (c % 29);
        }
        x /= 5;
        x + y % 1000
    }
    fn program_277(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = tensor(-6);
        let mut y = c + (x % 19);
        let mut k1 = 0;
        while k1 < 1 {
            k1 += 1;
            match x % 5 {
                0 if a % 5 == 1 && c % 3 == 1 => {
                    let v3;
                    if !(y != 1 && c % 3 == 0) {
                        y -= (b % 34);
                        v3 = b.clone();
                    } else {
                        let p4 = y >= y && (a > 5 || c % 2 == 1);
                        v3 = (c % 26) - c;
                    }
                    'l5: for i6 in x - 1..x + 0 {
                        y = -b - 3;
                    }
                }
                4 => {
                    y = 0;
                }
                -3 => {
                    x = (a + (c % 34)) % 90;
                }
                _ => {
                    y = (a + (y % 3)) % 100;
                }
            }
            y += 1;
        }
        y = 0;
        x + y % 1000
    }
    fn program_278(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = (a % 38) * (b % 9);
        let mut y = c + 2;
        for i1 in (0..x % 5).rev() {
            for i2 in 1..=x % 5 {
                if !(x > b) && a > (i2 % 19) {
                    x -= (b % 26);
                    let mut v3 = tensor(-3);
                } else {
                    graph_print!("g4 {} {}", i1, c - 1);
                    y -= 8;
                }
            }
            x /= 19;
            if !(c > c) {
                continue;
            }
            x = y.clone();
        }
        x %= 13;
        a
    }
}
