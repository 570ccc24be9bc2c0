//! Random programs, written by `cargo run -p graph-tests --bin generate_programs`: change that, not this.

super::programs! {
    fn program_081(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = -b - 2;
        let mut y = a.clone();
        let v1 = 'l2: {
            if !(y >= b && 6 < x) {
                break 'l2 y + 2;
            }
            while true {
                fuel -= 1;
                if fuel <= 0 {
                    break;
                }
                graph_print!("g3 {a}");
                x %= 27;
                if x % 5 == 2 {
                    continue;
                }
                y += 1;
            }
            b + 2
        };
        match v1 {
            4 | 6 if y <= 9 && x < (c % 26) => {
                x /= 11;
                return -x - 5;
            }
            -4..3 => {
                x %= 19;
            }
            4..=6 if x == 2 => {
                y = tensor(5);
            }
            _ => {
                x /= 28;
            }
        }
        y = b - 3;
        x + y % 1000
    }
    fn program_082(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = (b % 12) * 5;
        let mut y = (a % 25) * (b % 18) - (b % 7);
        let h1 = |v2: Int| -> Int {
            if v2 < 7 {
                return v2 * 2;
            }
            (x + 5) % 100
        };
        let b = h1(b + (c % 37));
        if y <= (a % 16) {
            if c >= y {
                y = (y % 28) * 0;
                y = (c % 32) * (b % 13);
            } else if a + 2 <= x {
                y %= 21;
                return 3;
            }
        } else if x % 4 == 2 {
            x %= 12;
            return 4;
        }
        y
    }
    fn program_083(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = b.clone();
        let mut y = a + (b % 13);
        let mut v1 = loop {
            fuel -= 1;
            if fuel <= 0 {
                break -b - (a % 19);
            }
            let p2 = y + 3 <= y && b > (y % 30);
        };
        x = 0;
        let mut b = a / 6 + 3;
        (v1, x) = (x.clone(), (y + (y % 23)) % 120);
        x + y % 1000
    }
    fn program_084(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = 4i32 - a;
        let mut y = x + 3;
        let v1 = match y % 5 {
            -1..0 => b,
            n if n > 8 => n - 8,
            n => n + 1,
        };
        if x + 3 <= v1 {
            for e2 in [y + 3, tensor(1)] {
                if v1 % 5 == 0 {
                    return (a + 7) % 110;
                }
                if { graph_print!("q3 {}", e2); e2 > 5 } {
                    continue;
                }
                y /= 26;
            }
            match v1 % 6 {
                0 if !(x >= x && y >= a) => {
                    if a == 1 && y == 6 {
                        x += (b % 17);
                    } else {
                        y = a + 6;
                    }
                }
                -4 if a >= v1 && (c >= v1 || v1 >= c) => {
                    x /= 6;
                    return tensor(-4);
                }
                _ => {
                    y = (a % 22) * 7 - (y % 40);
                }
            }
            return 0;
        } else if a % 3 == 1 {
            x += 4;
        }
        x += (y % 9);
        x + y % 1000
    }
    fn program_085(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = a.clone();
        let mut y = (a % 17) * 4;
        for e1 in [-a - (c % 18), b + (x % 7)] {
            let mut x = {
                x = tensor(0);
                (y % 11) - a
            };
            let mut v2 = 'l3: {
                if b > 1 {
                    break 'l3 a.clone();
                }
                let p4 = { graph_print!("q5 {}", x); x > 3 };
                -a - 5
            };
        }
        let mut k6 = 0;
        while k6 < 3 {
            k6 += 1;
            y = tensor(4);
        }
        y = 4i32 - y;
        if !(y > a) && (y <= 3 || b % 5 == 0) { -5 } else { c + (a % 3) }
    }
    fn program_086(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = (c % 31) * (b % 17);
        let mut y = b - (c % 15);
        let p1 = !(y > b);
        if a % 3 == 1 {
            let mut v2 = loop {
                fuel -= 1;
                if fuel <= 0 {
                    break (a + 2) % 70;
                }
                let mut v3 = (x % 2) * 3;
            };
            graph_print!("g4 {b}");
        } else if a <= (x % 20) {
            match c % 5 {
                1 | 3 => {
                    y += (c % 7);
                }
                3 => {
                    y = (a % 3) * 0;
                    return 1;
                }
                _ => {
                    x -= 4;
                }
            }
            y = y / 7 + (b % 20);
        }
        y = y / 7 + (a % 41);
        a
    }
    fn program_087(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = tensor(5);
        let mut y = tensor(4);
        if y >= y || { graph_print!("q1 {}", b); b > 3 } {
            for e2 in [(b + (b % 20)) % 90, (x + 1) % 110] {
                x = -e2 - 6;
                let p3 = x < 0;
                x = y.clone();
                if !(c > x) {
                    continue;
                }
                x = e2 + (c % 5);
            }
            graph_print!("g4 {} {}", c, (a % 12) * 3);
        } else if !(y > x) && y % 3 == 0 {
            y -= 8;
        } else {
            x = -x - 2;
        }
        x = b + (a % 15);
        return -a - (c % 4);
    }
    fn program_088(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = c.clone();
        let mut y = tensor(-6);
        if y >= x {
            return -x - 6;
        }
        'l1: while fuel > 0 && y >= b {
            fuel -= 1;
            let v3;
            if !(!(x > c) && b % 4 == 0) {
                y -= (b % 3);
                v3 = c + 5;
            } else {
                let mut v4 = b.clone();
                v3 = a.clone();
            }
            if b > (a % 40) && (b % 2 == 0 || b + 2 <= b) {
                break 'l1;
            }
            y = b.clone();
        }
        y
    }
    fn program_089(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = tensor(7);
        let mut y = 3i32 - c;
        'l1: while true {
            fuel -= 1;
            if fuel <= 0 {
                break;
            }
            y += 5;
            let mut v2 = loop {
                fuel -= 1;
                if fuel <= 0 {
                    break y.clone();
                }
                let (v3, mut v4) = (x.clone(), tensor(-5));
                v4 = 3i32 - x;
                v4 = 5i32 - x;
                if v3 >= v4 && (y + 0 <= c || v3 % 2 == 0) {
                    continue;
                }
                y -= (y % 26);
            };
            v2 = x.clone();
            if v2 == 2 && c < 9 {
                continue 'l1;
            }
            y = c.clone();
        }
        y += 0;
        x + y % 1000
    }
    fn program_090(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = b.clone();
        let mut y = tensor(-7);
        loop {
            fuel -= 1;
            if fuel <= 0 {
                break;
            }
            y += 5;
            match x {
                -4 => {
                    x /= 30;
                    y = b.clone();
                }
                0 => {
                    y = (y % 33) * 0 - (x % 21);
                    x += 4;
                }
                _ => {
                    y = y + (b % 27);
                }
            }
            y += (c % 34);
        }
        y = x - (c % 32);
        x + y % 1000
    }
    fn program_091(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = c - 3;
        let mut y = tensor(5);
        let (v1, mut v2) = (x.clone(), x / 3 + 4);
        'l3: for i4 in a - 1..a + 2 {
            v2 = (x % 22) * 1;
            if !(y <= (b % 38) && c > (c % 33)) {
                loop {
                    fuel -= 1;
                    if fuel <= 0 {
                        break;
                    }
                    let p5 = a % 5 == 0 && 4 < i4;
                }
                v2 += 6;
            } else {
                v2 = (a + 8) % 70;
                break 'l3;
            }
            v2 = v1 - 6;
        }
        x -= (a % 10);
        v2
    }
    fn program_092(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = b / 5 + 6;
        let mut y = 5i32 - c;
        while true {
            fuel -= 1;
            if fuel <= 0 {
                break;
            }
            'l1: while fuel > 0 && a >= c && c <= (b % 20) {
                fuel -= 1;
                x += (b % 11);
                x = c.clone();
            }
            while true {
                fuel -= 1;
                if fuel <= 0 {
                    break;
                }
                let v2 = (c % 2) * (c % 6) - (x % 26);
                x = (x % 25) * 6;
            }
            if y >= y {
                continue;
            }
            x = x.clone();
        }
        y += (x % 35);
        return a - 2;
    }
    fn program_093(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = -a - (a % 29);
        let mut y = b + 8;
        let v1;
        if b >= b || a % 4 == 2 {
            if !(c % 4 == 2 && 7 < c) {
                if b < (x % 30) {
                    y = (b + 1) % 100;
                }
            } else if c % 2 == 1 {
                for e2 in [tensor(-5), (a % 26) * (c % 35) - (y % 41)] {
                    x = 0;
                    x -= (a % 27);
                }
            }
            v1 = (b % 6) - a;
        } else {
            x = x.clone();
            v1 = tensor(4);
        }
        x = b.clone();
        x + y % 1000
    }
    fn program_094(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = b / 2 + 1;
        let mut y = x + (a % 31);
        match c % 7 {
            -1 => {
                'l1: for i2 in (0..1).rev() {
                    if !(c > c) {
                        return (a % 32) * (c % 15);
                    }
                    match y % 3 {
                        -1..0 => {
                            x = (y % 12) * 5;
                            graph_print!("g3 {} {}", a, x + (y % 12));
                        }
                        _ => {
                            x -= (b % 18);
                            continue 'l1;
                        }
                    }
                    y = a - (x % 17);
                }
                y = b.clone();
                return b - (a % 13);
            }
            0 | 2 => {
                y += 3;
            }
            4..=6 if c % 4 == 2 => {
                y += 1;
                return 4;
            }
            _ => {
                y -= 7;
            }
        }
        x %= 9;
        return (c % 33) * 6;
    }
    fn program_095(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = tensor(8);
        let mut y = a.clone();
        let h1 = |v2: Int| -> Int {
            if v2 < 3 {
                return v2 * 2;
            }
            -a - (x % 8)
        };
        let b = h1((c % 2) - x);
        loop {
            fuel -= 1;
            if fuel <= 0 {
                break;
            }
            for i3 in 1..=3 {
                for i4 in 0..x % 5 {
                    y = (y % 3) * (c % 18);
                    y += (a % 21);
                }
                y += 5;
            }
        }
        x = -c - (x % 32);
        return x / 3 + 3;
    }
}
