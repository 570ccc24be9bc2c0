//! Random programs, written by `cargo run -p graph-tests --bin generate_programs`: change that, not this.

super::programs! {
    fn program_096(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = (a + (a % 2)) % 70;
        let mut y = tensor(10);
        for e1 in [(a + 4) % 90, 5i32 - y] {
            if !(e1 > c) || e1 >= c {
                return -y - (b % 24);
            }
            if 1 < x && { graph_print!("q2 {}", a); a > 4 } {
                return y + 9;
            }
            'l3: loop {
                fuel -= 1;
                if fuel <= 0 {
                    break;
                }
                let (v4, mut v5) = (tensor(5), x.clone());
                x = (y % 38) * (b % 31);
                x /= 20;
            }
        }
        x = (c % 23) * (c % 40);
        x + y % 1000
    }
    fn program_097(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = (b + (c % 11)) % 110;
        let mut y = (x % 16) * (b % 11);
        x = 0;
        'l1: while fuel > 0 && !(c > (x % 32) && { graph_print!("q2 {}", y); y > 4 }) {
            fuel -= 1;
            let y = if { graph_print!("q3 {}", c); c > 3 } && (x <= (c % 29) || c == 3) {
                y = 0;
                5i32 - c
            } else {
                y = tensor(-9);
                -a - 9
            };
            let h5 = |v6: Int| -> Int {
                if v6 < 2 {
                    return v6 * 2;
                }
                (b % 16) * 2 - (y % 12)
            };
            let mut v4 = h5(y - 1);
        }
        y = 0;
        a
    }
    fn program_098(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = (b % 41) * 3;
        let mut y = x.clone();
        if b % 4 == 0 {
            while fuel > 0 && (c % 5 == 1 || a < 0) {
                fuel -= 1;
                let (v1, mut v2) = (a / 2 + 4, c.clone());
                graph_print!("g3 {} {}", c, (c + 0) % 100);
                if y >= v1 {
                    break;
                }
                y = (v2 % 10) * 4 - (v1 % 38);
            }
            let v4 = if x < 6 || { graph_print!("q5 {}", x); x > 3 } {
                x += 6;
                a - 3
            } else {
                x = (x + 6) % 110;
                b + 0
            };
            return 6;
        } else if a != (x % 37) && b % 3 == 1 {
            y = 0;
            return c.clone();
        } else {
            x = c.clone();
        }
        x = y.clone();
        x + y % 1000
    }
    fn program_099(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = a + (b % 40);
        let mut y = a.clone();
        let mut a = loop {
            fuel -= 1;
            if fuel <= 0 {
                break (c % 39) * 9 - (a % 34);
            }
            while fuel > 0 && (b >= a || { graph_print!("q1 {}", x); x > 7 }) {
                fuel -= 1;
                let (v2, mut v3) = (x / 4 + 3, tensor(10));
            }
            for i4 in 0..y % 5 {
                y += (x % 21);
                x %= 2;
                if 8 < x || c % 3 == 1 {
                    break;
                }
                x += (b % 26);
            }
            x = b.clone();
            if b >= y {
                break (y + 1) % 70;
            }
            x = tensor(-8);
        };
        x = tensor(-6);
        return (b + 8) % 120;
    }
    fn program_100(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = (b % 21) * 4;
        let mut y = x + 8;
        if { graph_print!("q1 {}", y); y > 0 } {
            'l2: loop {
                fuel -= 1;
                if fuel <= 0 {
                    break;
                }
                let p3 = 3 < a && 0 < x;
                if p3 {
                    break 'l2;
                }
                y %= 17;
            }
            return c.clone();
        } else if c >= x {
            let b = loop {
                fuel -= 1;
                if fuel <= 0 {
                    break b + 5;
                }
                x = 0;
                if a > 2 {
                    break (b % 5) - y;
                }
                y = a.clone();
            };
            return b.clone();
        }
        if y == 2 {
            return 4;
        }
        x = 3i32 - a;
        x + y % 1000
    }
    fn program_101(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = -c - (a % 25);
        let mut y = x.clone();
        for i1 in a - 1..a + 2 {
            if !(c % 2 == 0 && a == 4) {
                return (x % 10) * (a % 35) - (y % 9);
            }
            if y % 2 == 2 {
                continue;
            }
            x /= 4;
        }
        match c {
            4 if !(x > b) => {
                let v2 = if c % 5 == 2 && (c % 5 == 2 || c % 5 == 1) {
                    let c = if !(x > y) { (c + 4) % 80 } else { (c % 25) * 1 - (c % 21) };
                    (y % 41) - a
                } else {
                    while true {
                        fuel -= 1;
                        if fuel <= 0 {
                            break;
                        }
                        y += 8;
                    }
                    return c.clone()
                };
            }
            0 => {
                x -= 2;
            }
            3 => {
                y += 3;
                return (a % 8) * 3;
            }
            _ => {
                x = tensor(-9);
            }
        }
        y += 2;
        a
    }
    fn program_102(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = tensor(-1);
        let mut y = (c % 37) * 7 - (b % 34);
        while true {
            fuel -= 1;
            if fuel <= 0 {
                break;
            }
            match a {
                -3..2 if b < (b % 14) && b == 3 => {
                    x = b + 4;
                    y = y + 0;
                }
                -2..1 => {
                    y += (y % 37);
                    let v1 = (c % 4) * (b % 20) - (x % 31);
                    break;
                }
                _ => {
                    y = 0;
                    break;
                }
            }
            x = 3i32 - b;
        }
        y = (y % 21) * (b % 22) - (x % 34);
        if b >= c && (1 < y || c >= a) { -5 } else { x - 8 }
    }
    fn program_103(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = a - 6;
        let mut y = 2i32 - x;
        let v2;
        if y < 2 {
            if !(3 < a && a % 2 == 0) {
                for e3 in [c + 8, (y + 2) % 110] {
                    y = b + (c % 38);
                    y -= (c % 15);
                }
                return tensor(-3);
            } else {
                loop {
                    fuel -= 1;
                    if fuel <= 0 {
                        break;
                    }
                    x += (c % 31);
                    if a % 3 == 2 && y >= c {
                        continue;
                    }
                    x -= 0;
                }
            }
            v2 = b / 7 + 2;
        } else {
            y = b.clone();
            v2 = 4i32 - x;
        }
        x += 4;
        x + y % 1000
    }
    fn program_104(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = -c - (c % 19);
        let mut y = b + 9;
        y /= 4;
        let v1 = if x % 2 == 1 {
            let p2 = x >= x;
            -x - 3
        } else {
            'l3: while fuel > 0 && c > 2 {
                fuel -= 1;
                let h5 = |v6: Int| if v6 > 5 { v6 - 5 } else { (x + (x % 9)) % 100 };
                let v4 = h5((x % 16) * 6 - (x % 36));
            }
            (c % 10) * 4
        };
        let v1 = if !(b >= v1 && c % 4 == 0) {
            x += 1;
            y / 6 + 5
        } else {
            y = b.clone();
            return 8
        };
        x + y % 1000
    }
    fn program_105(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = c + 4;
        let mut y = x.clone();
        let v2;
        if !(x > c) || c >= x {
            match a {
                3 | 5 => {
                    y -= 6;
                    let v3 = 'l4: {
                        if y > 3 {
                            break 'l4 (x % 38) * 1;
                        }
                        x %= 27;
                        y + (c % 26)
                    };
                }
                1 | 3 => {
                    'l5: while fuel > 0 && !(a >= b && { graph_print!("q6 {}", a); a > 3 }) {
                        fuel -= 1;
                        y += 1;
                        if x % 3 == 0 {
                            break 'l5;
                        }
                        y = b.clone();
                    }
                }
                _ => {
                    x /= 26;
                }
            }
            v2 = c / 5 + 4;
        } else {
            x /= 27;
            v2 = c + (b % 17);
        }
        x %= 11;
        x + y % 1000
    }
    fn program_106(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = (a % 41) * (b % 9);
        let mut y = tensor(1);
        let v1 = a.clone();
        loop {
            fuel -= 1;
            if fuel <= 0 {
                break;
            }
            let mut k2 = 0;
            while k2 < 1 {
                k2 += 1;
                y = 0;
                x += k2;
                x = v1 - (c % 34);
            }
            x = (v1 + 3) % 70;
        }
        x -= 3;
        x + y % 1000
    }
    fn program_107(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = c + (a % 23);
        let mut y = a.clone();
        while fuel > 0 && (a != (x % 4) && ({ graph_print!("q1 {}", c); c > 7 } || b != 4)) {
            fuel -= 1;
            if !(2 < b && 1 < c) {
                x = a + (y % 26);
                x = b.clone();
            }
            if y > 2 {
                x = 0;
            }
            x = (x % 38) - b;
        }
        x -= (x % 17);
        x + y % 1000
    }
    fn program_108(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = (c + (c % 41)) % 120;
        let mut y = (c % 4) * (c % 14) - (x % 23);
        for e1 in [c - (a % 22), c.clone()] {
            y += 1;
            let mut k2 = 0;
            while k2 < 3 {
                k2 += 1;
                let (v3, mut v4) = (tensor(8), c.clone());
                let v3 = (v3 % 25) * 9 - (b % 32);
                x = b.clone();
            }
            if c % 4 == 2 {
                continue;
            }
            y = e1.clone();
        }
        y /= 22;
        if y + 7 <= b { x } else { (y % 12) * 4 }
    }
    fn program_109(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = 7i32 - a;
        let mut y = -x - (b % 29);
        if x >= b && (y < 6 || b % 3 == 2) {
            while true {
                fuel -= 1;
                if fuel <= 0 {
                    break;
                }
                let (v1, mut v2) = (tensor(4), y - (c % 2));
            }
        } else {
            x = (a % 8) * (x % 5);
            while true {
                fuel -= 1;
                if fuel <= 0 {
                    break;
                }
                graph_print!("g3 {a}");
                x -= (c % 29);
            }
        }
        x = (y % 15) * (b % 19);
        if b + (a % 7) <= y && { graph_print!("q4 {}", a); a > 0 } { (a % 19) * 9 - (b % 21) } else { c / 4 + 2 }
    }
    fn program_110(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = c.clone();
        let mut y = tensor(3);
        for i1 in a - 1..a + 1 {
            x = 7i32 - c;
            while true {
                fuel -= 1;
                if fuel <= 0 {
                    break;
                }
                loop {
                    fuel -= 1;
                    if fuel <= 0 {
                        break;
                    }
                    y -= 2;
                    y = (b % 10) * (a % 38);
                }
                if a >= c && !(y > b) {
                    break;
                }
                x = tensor(-5);
            }
        }
        x = y.clone();
        if x % 4 == 1 { 10 } else { (b % 25) * (y % 41) }
    }
}
