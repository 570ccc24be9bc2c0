//! Random programs, written by `cargo run -p graph-tests --bin generate_programs`: change that, not this.

super::programs! {
    fn program_256(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = -b - (b % 5);
        let mut y = x + 0;
        let mut v1 = match b % 4 {
            -1 => -7,
            4 | 6 => (c % 10) - x,
            4 | 6 => y - 2,
            n if n > 6 => n - 6,
            n => n + 1,
        };
        let mut k2 = 0;
        while k2 < 1 {
            k2 += 1;
            for i3 in (c % 3..c % 3 + 5).step_by(2) {
                let mut k4 = 0;
                while k4 < 2 {
                    k4 += 1;
                    v1 = b / 4 + 7;
                    v1 = b / 2 + 8;
                }
                v1 = c + (v1 % 11);
            }
        }
        y = (c % 14) * 3;
        return b + 6;
    }
    fn program_257(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = c.clone();
        let mut y = -c - (c % 29);
        if b + (c % 38) <= c {
            match c % 5 {
                -1 => {
                    let p1 = !(y > (y % 15) && b >= b);
                    x = a + 2;
                }
                -3 => {
                    x = (a % 30) * 2;
                    graph_print!("g2 {x}");
                }
                _ => {
                    y %= 19;
                }
            }
        } else if y + 9 <= y && c % 3 == 0 {
            y -= (y % 27);
        }
        x = (b % 12) - x;
        x + y % 1000
    }
    fn program_258(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = a + (b % 19);
        let mut y = -a - 0;
        if { graph_print!("q1 {}", b); b > 3 } {
            let mut v2 = {
                let mut v3 = if { graph_print!("q4 {}", c); c > 6 } {
                    y = (c % 5) * (b % 15);
                    c + 0
                } else {
                    graph_print!("g5 {} {}", x, y + 4);
                    return (y % 37) - a
                };
                -x - (y % 7)
            };
            if 0 < b {
                y = y + 5;
            }
        }
        y %= 24;
        x + y % 1000
    }
    fn program_259(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = c - 6;
        let mut y = (x + 2) % 80;
        graph_print!("g1 {} {}", y, y + 2);
        let v2 = match c % 7 {
            2 => return tensor(-9),
            -3 => (b % 7) * 0,
            _ => -y - (b % 5),
        };
        if { graph_print!("q3 {}", x); x > 2 } {
            while fuel > 0 && !(!(y > b) && v2 != 8) {
                fuel -= 1;
                y %= 25;
                if a % 5 == 1 {
                    break;
                }
                x -= 6;
            }
        }
        let mut v4 = loop {
            fuel -= 1;
            if fuel <= 0 {
                break (x % 41) * 8 - (y % 13);
            }
            x = 6i32 - x;
        };
        x + y % 1000
    }
    fn program_260(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = (a + (a % 41)) % 70;
        let mut y = -b - 7;
        (x, y) = (y.clone(), c.clone());
        match b % 5 {
            -4 if c != 1 => {
                if { graph_print!("q1 {}", y); y > 3 } || b < (c % 16) {
                    if x >= (y % 6) && !(a > x) {
                        let p2 = !(c <= (y % 24) && { graph_print!("q3 {}", a); a > 6 });
                        graph_print!("g4 {} {}", a, c - (x % 4));
                    }
                    x = a + (b % 38);
                }
            }
            _ => {
                x = -x - 4;
                return c + (c % 35);
            }
        }
        x -= 5;
        return a - (y % 33);
    }
    fn program_261(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = a.clone();
        let mut y = tensor(10);
        for i1 in (0..a % 3).rev() {
            match i1 % 5 {
                1..=3 if x < (c % 3) || a >= x => {
                    if c == (x % 27) {
                        let p2 = { graph_print!("q3 {}", x); x > 6 };
                        let p4 = !(a > (a % 37) && x % 5 == 1);
                    } else if a >= (b % 13) && a < (a % 37) {
                        x -= 7;
                    }
                    break;
                }
                _ => {
                    y = y.clone();
                }
            }
            y = (c % 41) * (a % 12);
            if 3 < b && y >= b {
                break;
            }
            y = (y % 34) * (b % 16);
        }
        x -= 7;
        x + y % 1000
    }
    fn program_262(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = b + 4;
        let mut y = (c + 0) % 110;
        let v1 = (y + 5) % 70;
        let mut v2 = 'l3: {
            if b % 4 == 1 {
                break 'l3 a.clone();
            }
            if !(y > c) {
                let p4 = v1 % 4 == 2;
                return (b % 3) * (v1 % 13) - (v1 % 7);
            } else {
                (y, x) = (v1 / 3 + (c % 40), tensor(4));
                let v5 = (y % 37) * (x % 26);
                return v1 / 7 + (b % 38);
            }
            x + (y % 33)
        };
        v2 /= 28;
        x + y % 1000
    }
    fn program_263(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = (c + (c % 14)) % 120;
        let mut y = tensor(-5);
        'l1: while fuel > 0 && !(a + (y % 13) <= x && a < (b % 6)) {
            fuel -= 1;
            'l2: while fuel > 0 && c != 7 {
                fuel -= 1;
                x = a / 5 + (x % 20);
                x += 3;
                let p3 = b + 9 <= b;
            }
            loop {
                fuel -= 1;
                if fuel <= 0 {
                    break;
                }
                x /= 13;
                if c % 3 == 1 {
                    break 'l1;
                }
                x = y + 0;
            }
            y = tensor(-8);
            if 6 < c && (b % 2 == 2 || y == 8) {
                return c.clone();
            }
            y += 1;
        }
        y = -b - 4;
        c
    }
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
                let mut b = match c % 3 {
                    -1 => y,
                    _ => a - 4,
                };
                for i1 in 0..b % 4 {
                    x = tensor(10);
                    let mut c = -a - 1;
                }
            }
            3..=5 => {
                let mut v2 = match y % 6 {
                    -5 => (y % 27) * (a % 37),
                    _ => 4i32 - a,
                };
                v2 = x.clone();
            }
            _ => {
                x -= 4;
            }
        }
        x = tensor(5);
        if x >= b && c + (c % 35) <= a { b + 4 } else { x + (a % 30) }
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
                3 => 3i32 - b,
                1 | 3 => y - 4,
                n if n > 4 => n - 4,
                n => n + 1,
            };
        }
        x = x / 3 + 6;
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
        return (y % 28) - x;
    }
    fn program_269(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = (a % 2) * (b % 30);
        let mut y = tensor(1);
        let h2 = |v3: Int| -> Int {
            if v3 < 6 {
                return v3 * 2;
            }
            (a % 31) - y
        };
        let v1 = h2(-a - (c % 20));
        if c >= c || b + 8 <= y {
            while fuel > 0 && 7 < a && y % 5 == 2 {
                fuel -= 1;
                y = (b + (b % 25)) % 90;
                if !(v1 > a) {
                    break;
                }
                y += 9;
            }
            while fuel > 0 && { graph_print!("q4 {}", a); a > 6 } {
                fuel -= 1;
                y = a.clone();
                x -= 7;
                if a >= 2 {
                    continue;
                }
                y -= (y % 36);
            }
        } else if y % 4 == 0 {
            x = -v1 - (v1 % 4);
        } else {
            x = 5i32 - x;
        }
        x += (b % 16);
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
                let v1;
                if y % 2 == 2 && (y >= c || x % 3 == 0) {
                    x -= 1;
                    v1 = y.clone();
                } else {
                    x = c + (x % 4);
                    v1 = x - 8;
                }
            }
            y = y.clone();
        }
        y += 4;
        if { graph_print!("q2 {}", y); y > 4 } || y % 2 == 0 { 6i32 - c } else { b + 8 }
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
}
