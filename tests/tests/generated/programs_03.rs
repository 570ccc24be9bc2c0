//! Random programs, written by `cargo run -p graph-tests --bin generate_programs`: change that, not this.

super::programs! {
    fn program_032(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = a.clone();
        let mut y = tensor(3);
        if b % 5 == 0 && (y > 6 || y != 1) {
            return (x + 2) % 100;
        }
        loop {
            fuel -= 1;
            if fuel <= 0 {
                break;
            }
            for e1 in [-c - 5, (x % 19) - c] {
                match e1 % 6 {
                    4..=6 if y <= 3 && { graph_print!("q2 {}", a); a > 5 } => {
                        graph_print!("g3 {a}");
                        y -= 2;
                    }
                    _ => {
                        x -= 7;
                    }
                }
                x = (b % 35) * 1;
            }
            y -= 4;
        }
        x = tensor(-9);
        x + y % 1000
    }
    fn program_033(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = b - 6;
        let mut y = x.clone();
        if !(c > x) && (a % 3 == 2 || c % 4 == 0) {
            return 1;
        }
        let v1 = loop {
            fuel -= 1;
            if fuel <= 0 {
                break (c % 14) * (a % 30) - (y % 19);
            }
            let v2 = {
                x = -c - (x % 35);
                (x + (y % 5)) % 90
            };
            for i3 in 1..=2 {
                y = -y - 2;
                x = tensor(-5);
            }
        };
        y /= 6;
        if a % 4 == 0 { x } else { b + 5 }
    }
    fn program_034(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = (a % 2) * (c % 4) - (b % 23);
        let mut y = a + (c % 30);
        'l1: for i2 in 0..c % 4 {
            'l3: while fuel > 0 && a != (b % 39) {
                fuel -= 1;
                let (v4, mut v5) = (x + (c % 33), x / 5 + (a % 29));
            }
            if !(b > c) {
                y += 7;
                x = tensor(-5);
            } else {
                y %= 5;
            }
            if 1 < y {
                return y + (b % 16);
            }
            y = (y % 13) - b;
        }
        y /= 12;
        if a != 6 && (y != (b % 41) || x > (x % 24)) { x } else { (a % 11) * 2 }
    }
    fn program_035(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = c.clone();
        let mut y = (a + (x % 31)) % 120;
        'l1: while fuel > 0 && !(x % 2 == 1 && y % 5 == 2) {
            fuel -= 1;
            let mut y = {
                match y {
                    2..=4 => {
                        y = 0;
                        graph_print!("g2 {y}");
                        continue 'l1;
                    }
                    _ => {
                        x = a - (x % 19);
                        x = 0;
                    }
                }
                -b - (a % 21)
            };
        }
        x = c + (x % 27);
        x + y % 1000
    }
    fn program_036(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = b / 5 + 4;
        let mut y = x - (b % 2);
        if b >= b {
            return a.clone();
        }
        while fuel > 0 && { graph_print!("q1 {}", b); b > 0 } {
            fuel -= 1;
            let v3;
            if !(!(b > x) && a == (c % 23)) {
                x = (a % 19) * (b % 16) - (y % 19);
                v3 = -y - (a % 30);
            } else {
                x = a.clone();
                v3 = (y % 34) - b;
            }
            let v4 = if !(v3 > v3) && y >= c { (c % 14) * 1 - (v3 % 40) } else { a - 6 };
            x = 0;
        }
        x %= 11;
        x + y % 1000
    }
    fn program_037(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = a + 7;
        let mut y = -x - 2;
        for i1 in (a % 3..a % 3 + 4).step_by(2) {
            loop {
                fuel -= 1;
                if fuel <= 0 {
                    break;
                }
                graph_print!("g2 {y}");
                y -= (c % 36);
            }
            loop {
                fuel -= 1;
                if fuel <= 0 {
                    break;
                }
                y = 0;
                y = x + 5;
                if { graph_print!("q3 {}", x); x > 4 } && ({ graph_print!("q4 {}", x); x > 4 } || b >= 5) {
                    break;
                }
                x = (c % 27) * 0;
            }
            x = (a + (y % 25)) % 100;
        }
        x += (y % 24);
        x + y % 1000
    }
    fn program_038(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = c.clone();
        let mut y = (x % 6) - x;
        if c >= 1 {
            while fuel > 0 && (a % 4 == 0 && (a % 2 == 0 || a >= c)) {
                fuel -= 1;
                if c % 2 == 2 {
                    return a + 1;
                }
            }
            return (c % 18) * 2;
        }
        if b < 4 {
            for i1 in 0..c % 5 {
                x = x.clone();
                x = x.clone();
            }
            x /= 16;
        } else if a + (c % 8) <= x {
            y = (c % 38) * 4;
        } else {
            x += (b % 31);
        }
        y += (y % 39);
        if a % 3 == 1 && (4 < y || b == 9) { (a + 2) % 70 } else { 7i32 - b }
    }
    fn program_039(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = (b + (b % 17)) % 100;
        let mut y = x.clone();
        graph_print!("g1 {} {}", y, (b + 2) % 120);
        if b + 9 <= x && (x == 3 || x <= 2) {
            match y % 4 {
                1 | 3 if { graph_print!("q2 {}", c); c > 1 } => {
                    graph_print!("g3 {} {}", y, (b % 19) * 4);
                }
                -4..3 => {
                    (y, x) = (y.clone(), (y % 17) * 1 - (x % 27));
                    let p4 = c >= c;
                }
                -5..4 => {
                    x -= 9;
                }
                _ => {
                    x = a.clone();
                    return 2;
                }
            }
        } else {
            x = 7i32 - x;
            return x.clone();
        }
        x %= 23;
        return (x + (x % 12)) % 110;
    }
    fn program_040(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = (c + 3) % 120;
        let mut y = a + 4;
        if !(c >= x && y > 4) {
            'l1: for i2 in (b % 3..b % 3 + 4).step_by(2) {
                let p3 = { graph_print!("q4 {}", y); y > 8 };
                loop {
                    fuel -= 1;
                    if fuel <= 0 {
                        break;
                    }
                    y -= 3;
                    let (v5, mut v6) = (i2.clone(), y + (c % 38));
                }
            }
        } else {
            y = (a + 9) % 80;
        }
        y = 6i32 - b;
        return (c + 4) % 110;
    }
    fn program_041(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = -b - (c % 4);
        let mut y = a + 4;
        while fuel > 0 && { graph_print!("q1 {}", y); y > 8 } {
            fuel -= 1;
            for i2 in 0..2 {
                let mut v3 = if c % 4 == 0 {
                    let x = b + 8;
                    b + 3
                } else {
                    let p4 = y % 4 == 0 || b <= (a % 28);
                    -a - (y % 8)
                };
                while true {
                    fuel -= 1;
                    if fuel <= 0 {
                        break;
                    }
                    v3 = b + (v3 % 23);
                }
                if x >= b && a == (x % 14) {
                    continue;
                }
                y -= 6;
            }
            y += (b % 25);
            if 7 < a {
                continue;
            }
            y = y.clone();
        }
        y /= 28;
        a
    }
    fn program_042(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = b + 5;
        let mut y = tensor(9);
        'l1: while true {
            fuel -= 1;
            if fuel <= 0 {
                break;
            }
            let x = match x % 7 {
                0 | 2 => y,
                _ => -c - (c % 32),
            };
            let v3;
            if c % 3 == 0 {
                for e4 in [tensor(1), (b % 14) * (b % 22)] {
                    y /= 30;
                    if b % 3 == 0 && (5 < c || x % 2 == 1) {
                        break;
                    }
                    y /= 2;
                }
                v3 = y - 1;
            } else {
                let v6;
                if 0 < b && b != (y % 23) {
                    y += 2;
                    v6 = b.clone();
                } else {
                    y -= 8;
                    v6 = x + (y % 7);
                }
                v3 = b - (x % 10);
            }
            y = 0;
            if x >= 2 && b % 2 == 0 {
                break 'l1;
            }
            y %= 20;
        }
        y -= (a % 5);
        x + y % 1000
    }
    fn program_043(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = a + 7;
        let mut y = b.clone();
        match c {
            4 if { graph_print!("q1 {}", y); y > 7 } || c <= (x % 37) => {
                match x % 4 {
                    2..=4 if c < (x % 39) => {
                        let (v2, mut v3) = (x.clone(), y.clone());
                        let p4 = x % 5 == 0;
                    }
                    _ => {
                        let v5 = tensor(6);
                    }
                }
            }
            -4 if !(4 < c && b > 5) => {
                while fuel > 0 && (!(a > a) || c % 5 == 2) {
                    fuel -= 1;
                    y += 2;
                }
            }
            _ => {
                x = tensor(3);
            }
        }
        y = x + 2;
        return b + 3;
    }
    fn program_044(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = (a % 9) * (a % 39);
        let mut y = a / 2 + 8;
        graph_print!("g1 {y}");
        let v2 = loop {
            fuel -= 1;
            if fuel <= 0 {
                break (a % 27) * (a % 32);
            }
            'l3: for i4 in 0..c % 3 {
                let mut v5 = y - 1;
                x = (c % 4) - i4;
            }
            x = b / 6 + (x % 3);
        };
        if v2 >= 7 { y } else { (a % 26) * 4 }
    }
    fn program_045(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = (b % 38) * 4 - (c % 36);
        let mut y = (a % 34) * 4;
        match x % 4 {
            -2 if { graph_print!("q1 {}", c); c > 7 } => {
                if x >= x && 7 < y {
                    let h3 = |v4: Int| if v4 > 0 { v4 - 0 } else { -y - (a % 39) };
                    let mut v2 = h3((b % 40) * (x % 22) - (a % 8));
                    match a {
                        0..=2 => {
                            y = v2.clone();
                            y -= (x % 32);
                        }
                        3 => {
                            x = a + 0;
                        }
                        -1 => {
                            x /= 17;
                        }
                        _ => {
                            v2 %= 2;
                            return (v2 % 41) - v2;
                        }
                    }
                } else {
                    x = y.clone();
                }
            }
            _ => {
                x += 2;
            }
        }
        y = tensor(2);
        x + y % 1000
    }
    fn program_046(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = (a % 13) * (a % 38) - (a % 41);
        let mut y = (x % 2) * 2;
        if c == 4 {
            return -x - (y % 15);
        }
        x = 0;
        'l1: while fuel > 0 && b <= 4 {
            fuel -= 1;
            let v2 = if a != 9 && ({ graph_print!("q3 {}", c); c > 5 } || y >= y) { (c % 17) * (a % 7) } else { (y % 13) * 4 - (x % 8) };
        }
        y
    }
    fn program_047(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = tensor(2);
        let mut y = 6i32 - x;
        let h1 = |v2: Int| if v2 > 2 { v2 - 2 } else { (y % 33) - b };
        let x = h1((c % 10) * (b % 9) - (a % 41));
        for i3 in (0..c % 2).rev() {
            for i4 in (0..b % 2).rev() {
                let p5 = b != (c % 36);
                y = b + 1;
            }
        }
        for i6 in 1..=2 {
            y = tensor(3);
        }
        y += (x % 22);
        a
    }
}
