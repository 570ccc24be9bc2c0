//! Random programs, written by `cargo run -p graph-tests --bin generate_programs`: change that, not this.

super::programs! {
    fn program_239(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = c.clone();
        let mut y = tensor(-7);
        let mut k1 = 0;
        while k1 < 1 {
            k1 += 1;
            let v2 = match a % 3 {
                3..=5 if c <= 7 && k1 != 0 => (c + (a % 28)) % 110,
                2 => 7,
                _ => (c + 3) % 90,
            };
        }
        if y > (b % 13) && (x < 2 || 6 < x) {
            'l3: for i4 in 0..y % 4 {
                graph_print!("g5 {} {}", y, (c % 33) - c);
                x -= 8;
                x = y / 2 + 4;
            }
            return a + 4;
        }
        y -= (b % 33);
        a
    }
    fn program_240(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = c - 4;
        let mut y = x.clone();
        for i1 in 1..=2 {
            if b > 2 {
                (x, y) = (b + 3, a.clone());
            } else if !(b + 8 <= c && a + 9 <= x) {
                match x % 7 {
                    3..=5 => {
                        graph_print!("g2 {b}");
                        let (v3, mut v4) = (a.clone(), tensor(6));
                        return tensor(-4);
                    }
                    2 | 4 if b != (x % 25) && i1 < 1 => {
                        y -= 2;
                    }
                    0 => {
                        x = 0;
                    }
                    _ => {
                        y = tensor(3);
                    }
                }
            }
            x /= 23;
        }
        y = x.clone();
        return b + 8;
    }
    fn program_241(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = (a % 4) * (b % 26);
        let mut y = c.clone();
        if c % 4 == 0 {
            y = -c - (c % 11);
        } else {
            while fuel > 0 && !(x % 3 == 1 && y % 3 == 2) {
                fuel -= 1;
                let p1 = !(x % 4 == 2 && c >= 2);
            }
        }
        for i2 in (0..3).rev() {
            'l3: while fuel > 0 && { graph_print!("q4 {}", y); y > 4 } && y % 3 == 1 {
                fuel -= 1;
                y += (c % 28);
            }
            if a % 2 == 2 || a >= y {
                continue;
            }
            y = c.clone();
        }
        return a + (a % 37);
    }
    fn program_242(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = -c - 2;
        let mut y = a.clone();
        if b + (x % 31) <= a {
            graph_print!("g1 {y}");
        } else if { graph_print!("q2 {}", y); y > 4 } {
            graph_print!("g3 {} {}", x, (y % 38) * 1 - (a % 14));
            let h5 = |v6: Int| if v6 > 6 { v6 - 6 } else { 5i32 - c };
            let v4 = h5(c - (y % 28));
            return c.clone();
        }
        for i7 in (0..a % 5).rev() {
            let mut c = loop {
                fuel -= 1;
                if fuel <= 0 {
                    break c.clone();
                }
                y -= 4;
            };
            x /= 15;
        }
        x + y % 1000
    }
    fn program_243(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = a - (b % 37);
        let mut y = a - 7;
        if a >= c && c >= a {
            return 7;
        }
        for i1 in (a % 3..a % 3 + 5).step_by(2) {
            let b = if !(b + (y % 18) <= c && i1 >= 7) {
                y = tensor(9);
                (b % 14) * 7 - (y % 37)
            } else {
                (y, x) = (i1 - (a % 15), (b + 3) % 100);
                break
            };
            if !(b <= (b % 3) && a % 5 == 2) {
                break;
            }
            x = i1.clone();
        }
        let h3 = |v4: Int| if v4 > 1 { v4 - 1 } else { a + (b % 22) };
        let v2 = h3(a + 4);
        y = c + 9;
        if a % 2 == 2 && x % 2 == 1 { 7 } else { -a - (a % 14) }
    }
    fn program_244(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = a + 9;
        let mut y = (a + 3) % 90;
        if { graph_print!("q1 {}", a); a > 5 } && a % 3 == 0 {
            let mut b = if 6 < x || c < (y % 38) {
                y = c - 2;
                b + (a % 12)
            } else {
                let v2 = a + 2;
                return a - 1
            };
            for i3 in 0..1 {
                y -= 8;
                b %= 16;
            }
            return tensor(-5);
        } else if !(y >= y && y <= 6) {
            y -= 4;
            return 2;
        } else {
            y -= 8;
        }
        y -= (a % 31);
        b
    }
    fn program_245(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = -a - 3;
        let mut y = c.clone();
        for i1 in 0..y % 2 {
            if i1 != 6 && y % 4 == 0 {
                y %= 15;
                break;
            } else {
                y = 0;
                x -= (y % 16);
            }
            if i1 <= 0 {
                break;
            }
            y = a.clone();
        }
        for i2 in (y % 3..y % 3 + 3).step_by(2) {
            y = a + 2;
        }
        y -= 1;
        if a >= b && y + 7 <= b { b / 3 + (a % 12) } else { -c - 2 }
    }
    fn program_246(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = c.clone();
        let mut y = tensor(-9);
        x = (b % 9) * (b % 10);
        x %= 24;
        for i1 in 0..c % 4 {
            if !(b >= y && i1 % 2 == 2) {
                y += 1;
                continue;
            } else {
                x = i1.clone();
                continue;
            }
            y = a + 6;
        }
        y = 0;
        x + y % 1000
    }
    fn program_247(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = (c + 2) % 120;
        let mut y = x.clone();
        x = tensor(4);
        let v1 = if b % 2 == 0 {
            let mut k2 = 0;
            while k2 < 2 {
                k2 += 1;
                let p3 = b > 4 && a < (x % 31);
                y = (a % 2) * 3 - (a % 5);
            }
            x + 4
        } else {
            if !(b + (c % 4) <= x && x > 1) {
                x = 5i32 - x;
            } else {
                x = 0;
            }
            a + (b % 2)
        };
        x + y % 1000
    }
    fn program_248(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = a.clone();
        let mut y = -x - (c % 5);
        'l1: for i2 in 0..b % 3 {
            let v3 = 'l4: {
                if !(c > x) && 1 < x {
                    break 'l4 b.clone();
                }
                let mut v5 = (y % 28) * 9;
                (c % 11) * 8 - (b % 15)
            };
            loop {
                fuel -= 1;
                if fuel <= 0 {
                    break;
                }
                graph_print!("g6 {x}");
                x /= 24;
            }
            if b % 2 == 0 && !(v3 > v3) {
                break 'l1;
            }
            y -= (y % 13);
        }
        x = c + 3;
        if !(c > c) { b } else { (b % 36) * 3 }
    }
    fn program_249(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = a.clone();
        let mut y = (c % 2) * 4 - (c % 12);
        let v1 = loop {
            fuel -= 1;
            if fuel <= 0 {
                break c / 3 + (b % 37);
            }
            if c <= 5 {
                let (v2, mut v3) = (tensor(-7), c.clone());
                v3 = tensor(-3);
            } else if x >= 4 {
                let c = 2i32 - c;
                return (x % 6) * 6;
            } else {
                y += 4;
                y += (b % 18);
            }
            if a <= (y % 34) {
                continue;
            }
            y %= 16;
        };
        y = y.clone();
        x + y % 1000
    }
    fn program_250(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = tensor(0);
        let mut y = (c % 3) * (a % 28);
        for i1 in 0..3 {
            y = (y % 3) * (a % 31) - (y % 28);
            'l2: for i3 in 0..2 {
                y = b.clone();
                y += (b % 16);
                (y, x) = (y.clone(), x + (c % 30));
            }
            x -= (y % 7);
        }
        y += 4;
        x
    }
    fn program_251(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = b - (b % 37);
        let mut y = b.clone();
        let (v1, mut v2) = ((x % 35) * 4, (c + 1) % 100);
        if !(1 < y && a % 2 == 1) {
            let v3;
            if v1 >= v2 {
                y /= 30;
                v3 = v1 / 3 + 4;
            } else {
                (x, v2) = (v1.clone(), tensor(4));
                v3 = (a % 14) * 6;
            }
            return 8;
        } else if !({ graph_print!("q4 {}", y); y > 0 } && b >= (a % 8)) {
            for i5 in (x % 3..x % 3 + 2).step_by(2) {
                x += (c % 23);
                if c % 3 == 1 {
                    break;
                }
                y /= 29;
            }
            v2 -= 4;
            return 2;
        }
        x + y % 1000
    }
    fn program_252(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = tensor(0);
        let mut y = c.clone();
        if a >= b {
            while fuel > 0 && c % 4 == 0 && { graph_print!("q1 {}", b); b > 4 } {
                fuel -= 1;
                y = 0;
                let (v2, mut v3) = ((b % 37) * 2 - (b % 29), (b % 29) * (c % 11) - (x % 3));
            }
            let v4 = {
                x = tensor(8);
                (y + 4) % 110
            };
        } else {
            x = y + 1;
        }
        y -= (c % 23);
        x + y % 1000
    }
    fn program_253(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = b + (b % 13);
        let mut y = (a % 32) * (c % 31) - (a % 30);
        if y <= (b % 20) {
            return 7;
        }
        for i1 in (y % 3..y % 3 + 3).step_by(2) {
            let mut k2 = 0;
            while k2 < 3 {
                k2 += 1;
                y /= 6;
                y -= k2;
                (y, x) = (b - 5, y.clone());
            }
            y += 1;
            if !(c > a) && b >= 5 {
                continue;
            }
            x += (a % 22);
        }
        c
    }
    fn program_254(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = a.clone();
        let mut y = tensor(2);
        let v1 = match a % 6 {
            -5..4 if y + (y % 19) <= b => (a % 5) * 2,
            0 | 2 if y + (b % 7) <= c => b,
            n if n > 2 => n - 2,
            n => n + 1,
        };
        for i2 in 0..x % 2 {
            let p3 = v1 != 0;
            if { graph_print!("q4 {}", b); b > 8 } {
                return (c + (y % 21)) % 70;
            }
            if x > (a % 34) {
                break;
            }
            y = x + (c % 3);
        }
        match y % 5 {
            1 | 3 if 6 < b => {
                graph_print!("g5 {} {}", y, c + (b % 23));
            }
            _ => {
                y = b.clone();
            }
        }
        x = 0;
        x + y % 1000
    }
    fn program_255(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = b / 5 + 5;
        let mut y = (x % 6) - b;
        for e1 in [(b % 27) * (b % 29) - (b % 20), c.clone()] {
            'l2: loop {
                fuel -= 1;
                if fuel <= 0 {
                    break;
                }
                match y {
                    0..=2 if a < 7 => {
                        (x, y) = ((e1 % 21) - x, x.clone());
                        graph_print!("g3 {y}");
                    }
                    1..=3 => {
                        (x, y) = (-y - 1, tensor(3));
                        y += 4;
                    }
                    1..=3 => {
                        y -= (a % 24);
                    }
                    _ => {
                        y = tensor(5);
                    }
                }
                y -= 2;
                if 2 < a {
                    continue 'l2;
                }
                x -= (a % 11);
            }
            y -= 5;
            if e1 >= b {
                break;
            }
            y = a + 1;
        }
        y %= 18;
        if { graph_print!("q4 {}", b); b > 3 } { b } else { (b + 3) % 120 }
    }
}
