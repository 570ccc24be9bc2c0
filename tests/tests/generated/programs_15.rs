//! Random programs, written by `cargo run -p graph-tests --bin generate_programs`: change that, not this.

super::programs! {
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
        let mut y = 5i32 - x;
        x += 4;
        let v1 = loop {
            fuel -= 1;
            if fuel <= 0 {
                break x + 1;
            }
            for i2 in 1..=c % 4 {
                x = tensor(7);
            }
            let mut v3 = if y >= b && 5 < c { y / 2 + 9 } else { x - 7 };
            let v5;
            if v3 % 2 == 0 {
                v3 = x + (y % 36);
                v5 = c.clone();
            } else {
                v3 = x / 7 + (y % 5);
                v5 = tensor(-2);
            }
        };
        y = -c - 5;
        x + y % 1000
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
        let mut x = 5i32 - b;
        let mut y = b.clone();
        for i1 in (0..y % 2).rev() {
            if b % 4 == 0 {
                (x, y) = ((y % 36) * 6 - (b % 10), (y % 33) * 7 - (a % 12));
                y %= 11;
            }
            let mut a = 'l2: {
                if x % 3 == 2 {
                    break 'l2 a / 2 + (b % 39);
                }
                y /= 24;
                (c % 41) - c
            };
            x += (i1 % 40);
            if a % 2 == 1 && (a == 4 || i1 == (a % 19)) {
                return (a % 7) * (b % 34) - (a % 10);
            }
            x -= 2;
        }
        y = x.clone();
        if { graph_print!("q3 {}", x); x > 4 } { (a % 26) * 3 } else { -y - 4 }
    }
    fn program_229(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = 4i32 - b;
        let mut y = (a % 38) * (b % 9);
        let v2;
        if y + (c % 21) <= a {
            let p3 = y >= (c % 21) && 3 < y;
            v2 = tensor(3);
        } else {
            let v4 = if a % 2 == 2 || c % 3 == 2 {
                if c <= (c % 7) {
                    y += (a % 31);
                    x = (c % 7) * (b % 12) - (c % 31);
                }
                (y + 8) % 90
            } else {
                y += 7;
                return c.clone()
            };
            v2 = (c + 2) % 80;
        }
        y %= 8;
        c
    }
    fn program_230(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = c / 2 + 5;
        let mut y = tensor(6);
        for i1 in (0..b % 2).rev() {
            while fuel > 0 && b % 3 == 1 {
                fuel -= 1;
                y /= 16;
            }
            loop {
                fuel -= 1;
                if fuel <= 0 {
                    break;
                }
                x = i1 + (c % 10);
            }
            if a >= b {
                break;
            }
            x /= 27;
        }
        let v2 = {
            y -= (x % 22);
            c + 0
        };
        y = y + (y % 18);
        x + y % 1000
    }
    fn program_231(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = -b - 2;
        let mut y = (c + 6) % 120;
        y = (y + (b % 34)) % 90;
        match c % 6 {
            3 | 5 if b + (a % 18) <= y => {
                if x != (a % 6) && x <= 2 {
                    for i1 in 1..=1 {
                        graph_print!("g2 {b}");
                        y = (x % 36) * 5;
                        x = a - i1;
                    }
                } else {
                    y = 0;
                    return b.clone();
                }
                y += (y % 4);
            }
            1 if b + 4 <= y && !(x > b) => {
                x += 2;
            }
            _ => {
                x -= 8;
            }
        }
        y += 2;
        x + y % 1000
    }
    fn program_232(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = c.clone();
        let mut y = c.clone();
        if !(a > y) {
            let v1 = match x {
                -5 => return 5,
                -1..0 if !(b > a) && y > 2 => return (y + (y % 36)) % 80,
                n if n > 1 => n - 1,
                n => n + 1,
            };
            if x > (v1 % 33) {
                if 1 < c {
                    x -= 4;
                } else {
                    (x, y) = (a + (a % 4), tensor(-5));
                    return x - 1;
                }
                return tensor(-7);
            } else {
                x %= 26;
            }
        } else {
            y /= 14;
        }
        y = (y % 29) * 4 - (x % 35);
        if y >= a { y - 3 } else { c + 3 }
    }
    fn program_233(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = (b % 32) * (c % 29);
        let mut y = tensor(0);
        while true {
            fuel -= 1;
            if fuel <= 0 {
                break;
            }
            for i1 in 0..x % 5 {
                if a % 2 == 1 {
                    y /= 27;
                }
                let v2 = 'l3: {
                    if { graph_print!("q4 {}", x); x > 5 } {
                        break 'l3 y / 6 + 3;
                    }
                    let p5 = b < 9;
                    (b + (c % 18)) % 110
                };
                y = b.clone();
                if a + 2 <= c && b % 3 == 2 {
                    break;
                }
                x = (i1 % 28) * 1;
            }
            x = 0;
            if y > 1 {
                break;
            }
            y += (y % 25);
        }
        y = (c % 26) - a;
        y
    }
    fn program_234(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = b + 7;
        let mut y = a + 7;
        if b % 3 == 1 {
            return tensor(-9);
        }
        let mut k1 = 0;
        while k1 < 1 {
            k1 += 1;
            for i2 in 1..=2 {
                x %= 16;
            }
            let mut k3 = 0;
            while k3 < 3 {
                k3 += 1;
                graph_print!("g4 {} {}", y, (c % 12) * 1);
                x += (y % 5);
            }
            y = c - (c % 32);
        }
        x + y % 1000
    }
    fn program_235(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = b + 3;
        let mut y = tensor(-4);
        let mut k1 = 0;
        while k1 < 2 {
            k1 += 1;
            if a >= a && a > (b % 8) {
                graph_print!("g2 {a}");
                let p3 = b >= (a % 17);
            } else {
                let (v4, mut v5) = (7i32 - c, x + (y % 33));
            }
        }
        let mut k6 = 0;
        while k6 < 3 {
            k6 += 1;
            x = 0;
        }
        x + y % 1000
    }
    fn program_236(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = c - (b % 21);
        let mut y = (b + 4) % 100;
        'l1: while fuel > 0 && (x + 6 <= x && (b % 5 == 0 || y % 4 == 2)) {
            fuel -= 1;
            'l2: while fuel > 0 && y >= y {
                fuel -= 1;
                x = (y % 15) * 3 - (c % 26);
                (y, x) = (x - 1, x.clone());
                y = a.clone();
            }
            for i3 in 1..=2 {
                x = tensor(-2);
                if !(y >= c && y + 1 <= c) {
                    return 0;
                }
                x = c / 4 + (x % 25);
            }
            y = c - (c % 16);
            if !(c > 6 && x >= c) {
                break 'l1;
            }
            x /= 18;
        }
        y -= (a % 32);
        x + y % 1000
    }
    fn program_237(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = (c % 26) - c;
        let mut y = a - 3;
        let mut c = if 4 < c {
            graph_print!("g1 {} {}", b, (a % 23) - b);
            4i32 - y
        } else {
            for e2 in [c.clone(), (x + 1) % 70] {
                x /= 18;
                y /= 3;
            }
            return y - 9
        };
        c = 0;
        if !(c + 4 <= y && !(c > y)) { (c % 13) * 2 - (x % 31) } else { (y + 4) % 120 }
    }
    fn program_238(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = a.clone();
        let mut y = (x + 6) % 120;
        match x {
            -5 => {
                if 4 < c && x % 4 == 0 {
                    graph_print!("g1 {y}");
                    y = -b - 2;
                }
            }
            2 | 4 if !(b == 2 && b > (b % 11)) => {
                if c >= y {
                    y -= 8;
                    return 4;
                } else {
                    y %= 15;
                }
                y -= (c % 37);
                return a / 2 + 3;
            }
            -1..0 => {
                y = c - 0;
                return 6;
            }
            _ => {
                y += 0;
            }
        }
        y = y.clone();
        x + y % 1000
    }
}
