//! Random programs, written by `cargo run -p graph-tests --bin generate_programs`: change that, not this.

super::programs! {
    fn program_304(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = c.clone();
        let mut y = tensor(-3);
        let h2 = |v3: Int| if v3 > 7 { v3 - 7 } else { (b + 4) % 90 };
        let v1 = h2(-x - 5);
        if !(x < 1 && x < 8) {
            x += (v1 % 24);
            return a / 7 + 3;
        } else if v1 >= y && 4 < c {
            let mut v4 = if y + (c % 20) <= y { a + 4 } else { x / 4 + 2 };
        }
        if a % 4 == 1 {
            'l5: for i6 in 1..=1 {
                y = a.clone();
                if i6 == 2 {
                    continue 'l5;
                }
                y -= 3;
            }
        } else {
            y = 0;
            return tensor(-4);
        }
        x -= (v1 % 34);
        x + y % 1000
    }
    fn program_305(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = tensor(-8);
        let mut y = -b - 2;
        'l1: while fuel > 0 && b == 9 && c % 4 == 1 {
            fuel -= 1;
            let mut k2 = 0;
            while k2 < 2 {
                k2 += 1;
                y /= 7;
                graph_print!("g3 {} {}", y, (b % 20) * 7);
            }
        }
        while true {
            fuel -= 1;
            if fuel <= 0 {
                break;
            }
            if c >= c && a != 1 {
                return c.clone();
            }
            y = 0;
            if !(a + 9 <= b && { graph_print!("q4 {}", b); b > 5 }) {
                break;
            }
            y = (y % 25) * 3;
        }
        y -= 2;
        if a != 8 { (x % 12) * 1 } else { (a % 33) * 8 }
    }
    fn program_306(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = (c + 7) % 90;
        let mut y = x.clone();
        let p1 = a % 4 == 2 && (x != 2 || a > 2);
        if { graph_print!("q2 {}", c); c > 1 } {
            let mut c = 'l3: {
                if p1 && (c < 8 || c % 5 == 0) {
                    break 'l3 a.clone();
                }
                let v4 = (x % 5) - x;
                c + (b % 26)
            };
        } else if a + 2 <= y {
            if a % 2 == 1 && (2 < c || c < (b % 18)) {
                y = -y - (x % 7);
                return 5;
            } else if x >= 2 {
                y = (b % 14) * 3;
                return (y + (x % 18)) % 70;
            }
        }
        if b > (a % 20) { y + (c % 35) } else { (b % 5) * (a % 7) - (x % 4) }
    }
    fn program_307(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = b + 1;
        let mut y = b.clone();
        for i1 in (x % 3..x % 3 + 5).step_by(2) {
            'l2: loop {
                fuel -= 1;
                if fuel <= 0 {
                    break;
                }
                let mut c = match c % 7 {
                    0 if a > 6 => (y % 6) - x,
                    _ => (b + (y % 22)) % 70,
                };
            }
            let mut k3 = 0;
            while k3 < 1 {
                k3 += 1;
                let h5 = |v6: Int| -> Int {
                    if v6 < 2 {
                        return v6 * 2;
                    }
                    x + (x % 23)
                };
                let v4 = h5((b % 11) - b);
            }
            if y >= b && i1 % 5 == 1 {
                break;
            }
            y = (a % 16) * (i1 % 32);
        }
        'l7: for i8 in 0..1 {
            y -= (b % 9);
            if y >= c && c <= (b % 14) {
                continue 'l7;
            }
            y = (c % 41) - c;
        }
        y += (c % 10);
        x + y % 1000
    }
    fn program_308(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = (a % 18) - a;
        let mut y = (b % 2) - b;
        y %= 9;
        let b = if a + 3 <= c { a / 3 + (a % 33) } else { (y % 13) * (y % 9) - (c % 27) };
        let mut v1 = if c != (c % 33) && a % 4 == 1 {
            for i2 in 0..y % 5 {
                let mut v3 = tensor(-5);
                if x <= (v3 % 36) {
                    continue;
                }
                v3 = 0;
            }
            (y % 6) - x
        } else {
            while fuel > 0 && c % 2 == 0 && x <= (y % 33) {
                fuel -= 1;
                y -= (x % 33);
            }
            a / 4 + 0
        };
        v1 += (a % 36);
        if c != (b % 19) && y + 9 <= y { (v1 % 17) * 3 - (b % 30) } else { 2i32 - y }
    }
    fn program_309(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = c.clone();
        let mut y = (x % 29) * 7 - (b % 40);
        if b == 9 {
            if a > 7 && c >= x {
                let p1 = a >= c;
            }
            return a.clone();
        } else {
            if a + 1 <= b && c >= a {
                x = y.clone();
            } else if b < 1 && a >= a {
                x = (x % 16) - y;
                return b + 7;
            }
            x -= 4;
        }
        y = x + (y % 17);
        a
    }
    fn program_310(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = (b % 39) * (c % 32) - (c % 7);
        let mut y = a.clone();
        let v1 = 'l2: {
            if { graph_print!("q3 {}", b); b > 4 } && (c >= b || x % 4 == 1) {
                break 'l2 b / 5 + 2;
            }
            (y, x) = (c + 1, c + (x % 23));
            (x % 28) * 7 - (y % 8)
        };
        if x >= a {
            while fuel > 0 && b >= c {
                fuel -= 1;
                graph_print!("g4 {} {}", v1, (x + 6) % 110);
                x = (a + 2) % 120;
                y /= 28;
            }
            x /= 17;
            return 2;
        }
        return (a % 13) * 7;
    }
    fn program_311(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = a / 7 + 9;
        let mut y = tensor(0);
        'l1: while fuel > 0 && (y != 5 || b % 5 == 0) {
            fuel -= 1;
            if x % 3 == 0 {
                return 4i32 - y;
            }
            let mut k2 = 0;
            while k2 < 1 {
                k2 += 1;
                x += (x % 10);
            }
            if y != (c % 24) {
                continue 'l1;
            }
            x = x - (b % 24);
        }
        let mut v3 = tensor(8);
        loop {
            fuel -= 1;
            if fuel <= 0 {
                break;
            }
            x = tensor(-7);
        }
        y += 2;
        if 6 < a || x != 2 { x - 7 } else { 7i32 - a }
    }
    fn program_312(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = (c % 39) * (b % 19) - (c % 26);
        let mut y = tensor(10);
        x /= 12;
        if y >= y && c >= 4 {
            return 6;
        }
        'l1: while fuel > 0 && b != (y % 11) && !(y > c) {
            fuel -= 1;
            for e2 in [y + (a % 12), b - (a % 22)] {
                let v3 = 'l4: {
                    if !(c > y) || 6 < e2 {
                        break 'l4 (c + 3) % 70;
                    }
                    x %= 13;
                    e2 + (c % 29)
                };
                x -= 1;
            }
            x += 4;
        }
        return (y % 19) * 2 - (x % 18);
    }
    fn program_313(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = (c % 7) * 7 - (b % 10);
        let mut y = tensor(4);
        if y >= (c % 20) && c >= (a % 23) {
            if { graph_print!("q1 {}", c); c > 1 } {
                y += (x % 17);
                x = (a + (a % 32)) % 90;
            } else {
                y = c / 3 + 1;
                let mut x = b.clone();
            }
            x = c.clone();
            return x.clone();
        } else if a + 2 <= b && (y < 4 || a > 7) {
            x += (b % 37);
            return c - 9;
        } else {
            y += (b % 24);
        }
        y -= 3;
        x + y % 1000
    }
    fn program_314(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = c - (b % 20);
        let mut y = (x % 17) * (x % 25) - (c % 29);
        let v1 = loop {
            fuel -= 1;
            if fuel <= 0 {
                break y + 3;
            }
            for i2 in (0..3).rev() {
                (y, x) = (a.clone(), b + (b % 23));
                x += (a % 31);
                let mut x = (b + i2) % 110;
            }
            for e3 in [c.clone(), -a - (b % 3)] {
                x += (c % 34);
                if y <= 3 && x % 2 == 0 {
                    break;
                }
                x = e3.clone();
            }
        };
        y = (c % 5) * 7;
        y
    }
    fn program_315(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = tensor(-4);
        let mut y = x.clone();
        for i1 in 0..y % 4 {
            let h3 = |v4: Int| if v4 > 6 { v4 - 6 } else { b + 6 };
            let mut v2 = h3(-x - 3);
            match y % 5 {
                -2 => {
                    graph_print!("g5 {} {}", i1, (x % 9) * 9 - (a % 15));
                }
                3..=5 => {
                    x %= 30;
                    let y = b / 3 + 4;
                }
                _ => {
                    x = x.clone();
                    continue;
                }
            }
        }
        y = 0;
        if 1 < b { y + (b % 22) } else { -a - (c % 4) }
    }
    fn program_316(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = c + 3;
        let mut y = (b % 14) * (b % 26) - (a % 22);
        'l1: for i2 in 1..=3 {
            while fuel > 0 && (i2 < 2 && (a % 3 == 1 || { graph_print!("q3 {}", a); a > 8 })) {
                fuel -= 1;
                let mut v4 = {
                    y /= 17;
                    a + i2
                };
                let c = match y % 4 {
                    4 | 6 => break 'l1,
                    n if n > 7 => n - 7,
                    n => n + 1,
                };
                loop {
                    fuel -= 1;
                    if fuel <= 0 {
                        break;
                    }
                    v4 += 1;
                    if c >= c && b != (y % 13) {
                        continue 'l1;
                    }
                    x = b - 1;
                }
            }
            x = (b % 26) * 5;
        }
        y = tensor(2);
        x + y % 1000
    }
    fn program_317(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = a + (b % 12);
        let mut y = (b + (a % 4)) % 120;
        y += 4;
        for i1 in (0..2).rev() {
            if y == (y % 15) {
                y = (b + 7) % 80;
                x = b - (x % 25);
            } else {
                let v2 = c.clone();
                x = b / 3 + (y % 3);
            }
            y = 0;
        }
        x
    }
    fn program_318(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = a.clone();
        let mut y = tensor(4);
        x /= 24;
        if b + (b % 12) <= x {
            for e1 in [x.clone(), x + 0] {
                y -= (y % 9);
            }
        }
        if a >= y { c + 6 } else { (y % 7) * (y % 21) }
    }
    fn program_319(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = tensor(8);
        let mut y = (b + (a % 34)) % 80;
        'l1: while fuel > 0 && 8 < x {
            fuel -= 1;
            let v3;
            if b >= b && a >= b {
                let v4 = x.clone();
                v3 = y.clone();
            } else {
                graph_print!("g5 {b}");
                v3 = (y % 3) * 2 - (x % 36);
            }
            'l6: while fuel > 0 && c % 4 == 2 {
                fuel -= 1;
                y /= 20;
                x = v3.clone();
                if c <= 6 && (v3 + (y % 23) <= x || v3 > (b % 3)) {
                    break 'l1;
                }
                x += (c % 5);
            }
            if c >= v3 && !(c > y) {
                break 'l1;
            }
            x += (b % 33);
        }
        x = y.clone();
        x + y % 1000
    }
}
