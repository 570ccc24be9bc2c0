//! Random programs, written by `cargo run -p graph-tests --bin generate_programs`: change that, not this.

super::programs! {
    fn program_115(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = a - 3;
        let mut y = 1 - c;
        'l1: loop {
            fuel -= 1;
            if fuel <= 0 {
                break;
            }
            for i2 in 0..3 {
                x -= i2;
            }
            let h3 = |v4: Int| if v4 > 7 { v4 - 7 } else { y + (c % 37) };
            let a = h3(-b - 0);
            while fuel > 0 && c != (y % 30) {
                fuel -= 1;
                x = (y % 15) * (b % 33);
                if a >= x || { graph_print!("q5 {}", x); x > 1 } {
                    continue;
                }
                x %= 19;
            }
            if a == (a % 5) {
                continue 'l1;
            }
            x = 0;
        }
        y -= (a % 21);
        y
    }
    fn program_116(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = (a % 5) * 1 - (c % 13);
        let mut y = x / 6 + (c % 36);
        match y % 7 {
            -3..2 => {
                if b + 2 <= a && !(x > a) {
                    let p1 = a % 3 == 1;
                    x -= 8;
                    return (a + 4) % 110;
                } else if b != 2 {
                    x /= 18;
                }
                if y >= b && b + 3 <= a {
                    y = tensor(-6);
                    return b + 2;
                }
            }
            -1..0 if x >= a => {
                y = (a % 7) - a;
            }
            _ => {
                y += 7;
            }
        }
        x -= (a % 2);
        x + y % 1000
    }
    fn program_117(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = c - (b % 32);
        let mut y = a - 3;
        for i1 in 0..y % 3 {
            let v2 = if !(x > 2 && b >= y) { -8 } else { (a % 31) * 4 - (a % 3) };
            'l3: while true {
                fuel -= 1;
                if fuel <= 0 {
                    break;
                }
                if { graph_print!("q4 {}", x); x > 1 } && (!(a > a) || i1 < 1) {
                    let p5 = i1 % 5 == 1;
                    graph_print!("g6 {} {}", y, b - (v2 % 19));
                } else if !(b < 3 && !(c > x)) {
                    x = (y % 18) * 8;
                }
                y += 2;
            }
            if 7 < c {
                continue;
            }
            y %= 24;
        }
        y = tensor(1);
        return -y - 1;
    }
    fn program_118(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = c + 9;
        let mut y = 2 - c;
        if { graph_print!("q1 {}", x); x > 3 } {
            for i2 in 0..2 {
                x = tensor(7);
                let (v3, mut v4) = (a + 8, 7 - x);
                v4 = v3 - (y % 25);
            }
            for i5 in (0..y % 4).rev() {
                y = (a + 1) % 90;
            }
        } else {
            x /= 26;
        }
        x = c.clone();
        if x > 4 && x % 3 == 2 { y } else { x - (x % 21) }
    }
    fn program_119(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = b.clone();
        let mut y = -x - 9;
        while fuel > 0 && b + (y % 20) <= b {
            fuel -= 1;
            let (v1, mut v2) = ((x + (c % 23)) % 80, tensor(8));
        }
        for e3 in [tensor(-4), (x % 41) * 8] {
            let mut v4 = {
                let mut k5 = 0;
                while k5 < 1 {
                    k5 += 1;
                    let c = k5 - e3;
                    y = 2 - x;
                }
                (x % 31) * 4 - (b % 32)
            };
            x = (y % 37) * 1 - (c % 19);
        }
        y -= 7;
        return 8 - b;
    }
    fn program_120(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = a / 7 + (b % 10);
        let mut y = (a + (b % 32)) % 80;
        let v1 = (a + (c % 21)) % 100;
        x = 0;
        let mut v2 = loop {
            fuel -= 1;
            if fuel <= 0 {
                break (x % 8) * 2;
            }
            if c >= 3 {
                return 6;
            }
            let v3 = match y % 6 {
                0 if !(y > v1) => -v1 - 2,
                -5 => -b - 1,
                n if n > 2 => n - 2,
                n => n + 1,
            };
            while fuel > 0 && v3 < 0 {
                fuel -= 1;
                y = v3.clone();
                if v3 + 1 <= y && (c == 2 || a >= v1) {
                    continue;
                }
                y = (y % 17) * 1 - (v1 % 20);
            }
            if b > 5 && { graph_print!("q4 {}", x); x > 8 } {
                break tensor(8);
            }
            y += 3;
        };
        y -= 4;
        x + y % 1000
    }
    fn program_121(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = a + (a % 18);
        let mut y = 4 - x;
        for i1 in 1..=c % 5 {
            let v2 = match y % 7 {
                1 | 3 if i1 == 4 => 9,
                0..=2 => b,
                -2..1 => c,
                _ => -i1 - (b % 7),
            };
            let v3 = {
                let a = if a <= 8 || y >= 6 {
                    y = x.clone();
                    b - (i1 % 21)
                } else {
                    let p4 = c % 5 == 0 || a % 4 == 1;
                    a - 8
                };
                y + (a % 5)
            };
            x = tensor(7);
        }
        y = 0;
        return -y - (b % 41);
    }
    fn program_122(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = c.clone();
        let mut y = (b % 17) * (b % 26) - (b % 40);
        graph_print!("g1 {} {}", b, (c % 17) * 2);
        match b % 5 {
            4..=6 => {
                let mut k2 = 0;
                while k2 < 2 {
                    k2 += 1;
                    'l3: while fuel > 0 && y > 4 && y % 2 == 0 {
                        fuel -= 1;
                        graph_print!("g4 {c}");
                    }
                }
                let mut k5 = 0;
                while k5 < 1 {
                    k5 += 1;
                    x %= 18;
                }
                return 4;
            }
            _ => {
                x = -c - 3;
            }
        }
        y %= 25;
        y
    }
    fn program_123(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = a + 3;
        let mut y = (b % 7) - b;
        (x, y) = (a / 2 + 3, (x + (a % 26)) % 110);
        if x > (x % 18) {
            let v1 = if b < 8 && y % 3 == 0 { (y % 3) * 3 - (a % 8) } else { (y % 26) * (y % 40) - (c % 18) };
            if c >= (a % 8) {
                y = 0;
            } else if { graph_print!("q2 {}", v1); v1 > 6 } {
                x -= (v1 % 16);
                return x.clone();
            }
        } else {
            x = -c - 1;
        }
        y /= 21;
        return (c % 40) * 1;
    }
    fn program_124(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = tensor(6);
        let mut y = x.clone();
        y = (a + (b % 3)) % 70;
        let v1 = 'l2: {
            if !(x > x) {
                break 'l2 y.clone();
            }
            loop {
                fuel -= 1;
                if fuel <= 0 {
                    break;
                }
                match x % 6 {
                    -2..1 if { graph_print!("q3 {}", a); a > 0 } => {
                        (y, x) = (x + 6, (y + 3) % 70);
                    }
                    _ => {
                        let p4 = y % 5 == 1;
                        x = 0;
                    }
                }
            }
            c - 3
        };
        x = b / 2 + 8;
        b
    }
    fn program_125(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = tensor(-8);
        let mut y = tensor(4);
        match y % 7 {
            -2 => {
                if y > 7 {
                    let v1 = if !(5 < x && x % 2 == 1) { -c - (b % 30) } else { b - (c % 25) };
                    loop {
                        fuel -= 1;
                        if fuel <= 0 {
                            break;
                        }
                        let (v2, mut v3) = ((a % 12) - x, v1 + (v1 % 25));
                        if c != 4 {
                            break;
                        }
                        x -= (b % 14);
                    }
                }
                if !(a >= x && a + 4 <= b) {
                    y = y.clone();
                    return x.clone();
                } else {
                    y = c.clone();
                }
            }
            4..=6 => {
                x = tensor(-7);
                return (y + (y % 8)) % 100;
            }
            _ => {
                y %= 11;
            }
        }
        y -= (a % 2);
        if 2 < c && (b % 2 == 2 || y % 3 == 0) { b + (a % 30) } else { x / 4 + 9 }
    }
    fn program_126(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = tensor(7);
        let mut y = b.clone();
        for i1 in 1..=3 {
            loop {
                fuel -= 1;
                if fuel <= 0 {
                    break;
                }
                x = 0;
                let (v2, mut v3) = (x.clone(), tensor(-5));
            }
            if { graph_print!("q4 {}", c); c > 4 } && (b >= y || i1 != 1) {
                return tensor(-9);
            }
            x -= i1;
        }
        'l5: for i6 in (a % 3..a % 3 + 4).step_by(2) {
            for e7 in [c - 4, (b % 27) * 6] {
                x = 0;
            }
            y /= 6;
            if !(a > a) {
                break 'l5;
            }
            x += 0;
        }
        x += (a % 11);
        x + y % 1000
    }
    fn program_127(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = c + (c % 23);
        let mut y = (c % 39) * (x % 39);
        let h2 = |v3: Int| -> Int {
            if v3 < 6 {
                return v3 * 2;
            }
            (c % 28) - a
        };
        let mut v1 = h2(x - 4);
        let mut k4 = 0;
        while k4 < 3 {
            k4 += 1;
            let (v5, mut v6) = (y.clone(), (x + (b % 27)) % 90);
            if v6 + k4 <= v5 {
                let mut v7 = {
                    v1 /= 12;
                    -v5 - k4
                };
            } else if y >= c && (c == (a % 21) || !(y > a)) {
                v1 = tensor(-4);
            }
            v6 = a.clone();
        }
        y = y - (c % 40);
        if c < (v1 % 6) { 7 } else { v1 / 5 + 0 }
    }
    fn program_128(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = b + (a % 9);
        let mut y = x - (a % 18);
        for i1 in (0..y % 5).rev() {
            while fuel > 0 && y != 7 {
                fuel -= 1;
                for e2 in [b.clone(), -b - 3] {
                    (x, y) = (-b - (e2 % 8), tensor(7));
                    y = (b % 4) * 4;
                    x %= 13;
                }
                y = b / 5 + (i1 % 25);
                if y >= a {
                    break;
                }
                y = i1 + 7;
            }
            y = i1 / 7 + 3;
            if x % 2 == 1 && 3 < y {
                continue;
            }
            x = 6 - i1;
        }
        y -= 7;
        return (x % 2) - b;
    }
    fn program_129(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = (b % 7) * 4 - (a % 10);
        let mut y = b.clone();
        if !(c > x) && a <= 4 {
            return (a % 8) * (a % 26);
        }
        'l1: while true {
            fuel -= 1;
            if fuel <= 0 {
                break;
            }
            match y % 3 {
                -1 if a <= 4 => {
                    x = x + 2;
                }
                -3 => {
                    let v2 = -x - 7;
                    continue 'l1;
                }
                _ => {
                    x = a + 9;
                    x = (a % 21) * 5;
                }
            }
            y = 0;
            if a % 3 == 2 {
                continue 'l1;
            }
            x += 6;
        }
        y += 1;
        x + y % 1000
    }
}
