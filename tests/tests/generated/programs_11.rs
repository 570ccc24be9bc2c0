//! Random programs, written by `cargo run -p graph-tests --bin generate_programs`: change that, not this.

super::programs! {
    fn program_165(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = (a + 0) % 120;
        let mut y = tensor(3);
        while fuel > 0 && (b != 0 || b < 1) {
            fuel -= 1;
            loop {
                fuel -= 1;
                if fuel <= 0 {
                    break;
                }
                y = (b % 16) * 4 - (a % 13);
            }
            'l1: while fuel > 0 && b % 3 == 1 && y == (c % 25) {
                fuel -= 1;
                x -= 5;
                graph_print!("g2 {a}");
            }
            y = (a % 36) - y;
        }
        x += 4;
        if a <= 4 && x != (c % 6) { (x % 8) - x } else { (a % 4) * (b % 37) }
    }
    fn program_166(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = tensor(-1);
        let mut y = c + 1;
        if a % 4 == 1 || y > (b % 12) {
            let v2;
            if y >= a && x < (a % 20) {
                if { graph_print!("q3 {}", c); c > 7 } && a % 3 == 0 {
                    y -= 2;
                    return c / 2 + 2;
                } else if c >= x {
                    graph_print!("g4 {y}");
                    let v5 = -c - 3;
                    return (b % 5) * (b % 13) - (c % 3);
                }
                v2 = b + 1;
            } else {
                y = c.clone();
                v2 = (b + 7) % 80;
            }
            x = c.clone();
        } else if !(b > c) && 8 < c {
            y -= (c % 36);
        }
        y = 0 - c;
        return (a % 10) * (b % 24);
    }
    fn program_167(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = c + 4;
        let mut y = a.clone();
        let mut v1 = 'l2: {
            if !(x + 1 <= c && !(y > y)) {
                break 'l2 a.clone();
            }
            let (v3, mut v4) = (c.clone(), a + 3);
            -x - 3
        };
        while true {
            fuel -= 1;
            if fuel <= 0 {
                break;
            }
            match x {
                2 => {
                    graph_print!("g5 {v1}");
                    v1 = b - (c % 5);
                }
                _ => {
                    v1 -= (x % 2);
                    break;
                }
            }
            x += (y % 36);
            if 8 < b && x >= a {
                break;
            }
            v1 = x / 5 + 1;
        }
        x -= (x % 27);
        if a <= (b % 37) { 4 } else { (c % 28) - c }
    }
    fn program_168(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = b.clone();
        let mut y = x.clone();
        for i1 in (c % 3..c % 3 + 2).step_by(2) {
            x /= 21;
            'l2: for i3 in 1..=c % 3 {
                y = a + 8;
                x = (i1 % 8) * (i1 % 30);
                x = i3 + (a % 6);
                if !(x >= a && i1 >= (a % 34)) {
                    return (i3 % 6) - x;
                }
                x += (x % 19);
            }
            if !(c > b) && y != (b % 28) {
                break;
            }
            x -= 3;
        }
        y = (a % 8) * (a % 30);
        return (y % 35) * (y % 25);
    }
    fn program_169(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = tensor(6);
        let mut y = x - 7;
        while fuel > 0 && !(a == (c % 14) && x + 9 <= x) {
            fuel -= 1;
            if { graph_print!("q1 {}", b); b > 6 } && a + (y % 17) <= c {
                return tensor(-8);
            }
            if b + 4 <= y && (x >= (b % 37) || b > 2) {
                return (x % 3) - b;
            }
        }
        let mut k2 = 0;
        while k2 < 2 {
            k2 += 1;
            let mut v3 = tensor(-9);
            let p4 = c >= c;
            x += 3;
        }
        x = x.clone();
        x + y % 1000
    }
    fn program_170(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = 9 - b;
        let mut y = a + 3;
        if b > 6 || b == (y % 39) {
            'l1: for i2 in 0..b % 5 {
                x += 4;
                x -= 7;
            }
        } else {
            'l3: for i4 in (0..3).rev() {
                y += 9;
                x = b.clone();
                if { graph_print!("q5 {}", b); b > 8 } && i4 < 2 {
                    break 'l3;
                }
                y = 0;
            }
            x += (y % 16);
            return tensor(4);
        }
        y -= (b % 3);
        if b != 3 && x >= c { x } else { (y + 1) % 110 }
    }
    fn program_171(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = b + 9;
        let mut y = a.clone();
        let v1 = {
            let mut k2 = 0;
            while k2 < 3 {
                k2 += 1;
                for i3 in 0..y % 2 {
                    let (v4, mut v5) = (b.clone(), i3.clone());
                    let mut v6 = v4 + k2;
                }
            }
            b + 7
        };
        'l7: for i8 in (0..1).rev() {
            x = (c % 10) * 5 - (b % 21);
        }
        y %= 10;
        if c <= 0 { c - 5 } else { y + 2 }
    }
    fn program_172(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = (a % 37) * 0;
        let mut y = b.clone();
        if a >= a && x % 5 == 2 {
            match a % 5 {
                -4 => {
                    x = -y - 6;
                }
                1 => {
                    x += 7;
                }
                _ => {
                    y = tensor(9);
                    let mut v1 = y + 4;
                }
            }
        }
        x = x / 2 + 2;
        x + y % 1000
    }
    fn program_173(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = (c % 21) - b;
        let mut y = tensor(6);
        for e1 in [(b % 16) * 1, b / 4 + (c % 41)] {
            let v2 = if a != (b % 30) {
                graph_print!("g3 {e1}");
                (a % 19) * 6 - (x % 2)
            } else {
                if c >= b {
                    x -= (c % 29);
                    y = 0;
                }
                (a + (c % 25)) % 120
            };
        }
        y += 2;
        return y / 5 + 5;
    }
    fn program_174(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = a.clone();
        let mut y = (x % 4) * 2;
        let mut k1 = 0;
        while k1 < 2 {
            k1 += 1;
            let mut v2 = match c {
                3 => c,
                -4..3 if k1 < 1 => 7,
                n if n > 2 => n - 2,
                n => n + 1,
            };
            match c % 5 {
                1..=3 => {
                    graph_print!("g3 {c}");
                }
                4 | 6 if y >= k1 => {
                    let (v4, mut v5) = (y.clone(), (a % 23) * 9 - (y % 20));
                }
                -1 if c + 1 <= c => {
                    let (v6, mut v7) = (y.clone(), v2 - (y % 35));
                    x += (v7 % 18);
                }
                _ => {
                    v2 = c.clone();
                }
            }
        }
        x = tensor(-2);
        if x % 3 == 2 { x + 2 } else { x + 3 }
    }
    fn program_175(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = (b % 21) * 2;
        let mut y = (x % 25) * (c % 37) - (a % 18);
        for i1 in c - 1..c + 3 {
            match i1 % 3 {
                3 | 5 => {
                    y %= 2;
                    let (v2, mut v3) = (tensor(2), y.clone());
                }
                1 | 3 => {
                    y = x.clone();
                    break;
                }
                -3..2 if i1 <= (x % 5) => {
                    let p4 = y >= a;
                }
                _ => {
                    x = c - 2;
                }
            }
            y = 3 - y;
            if i1 <= 3 && a == (c % 19) {
                break;
            }
            x /= 7;
        }
        y = a + 1;
        a
    }
    fn program_176(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = b + 8;
        let mut y = c + 3;
        x -= 8;
        match c % 7 {
            1 => {
                let v1 = 'l2: {
                    if !(y >= b && c >= y) {
                        break 'l2 x - (y % 33);
                    }
                    x = 0;
                    c + 1
                };
                while fuel > 0 && !(x > a) {
                    fuel -= 1;
                    x += 2;
                    x += (v1 % 10);
                }
            }
            3 | 5 => {
                y = tensor(-8);
            }
            -1 if 8 < c || y >= (a % 31) => {
                x = 0;
            }
            _ => {
                x = 0;
            }
        }
        x + y % 1000
    }
    fn program_177(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = b + 1;
        let mut y = (x % 22) * 1;
        for e1 in [x.clone(), c + (x % 12)] {
            match y % 6 {
                4 if e1 >= 5 => {
                    x = -c - 5;
                    x /= 3;
                    return a.clone();
                }
                -5..4 if y % 2 == 1 => {
                    x = y / 3 + 3;
                }
                -5..4 if a <= 1 && y != (b % 8) => {
                    y = c + 0;
                }
                _ => {
                    y -= 4;
                }
            }
            x += 7;
            if y >= e1 && e1 + 2 <= e1 {
                break;
            }
            y = 0;
        }
        x /= 27;
        a
    }
    fn program_178(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = b.clone();
        let mut y = (x + 5) % 90;
        let v2;
        if y + (y % 14) <= y {
            for i3 in 0..x % 4 {
                while fuel > 0 && { graph_print!("q4 {}", y); y > 3 } {
                    fuel -= 1;
                    let p5 = b != (y % 31);
                    graph_print!("g6 {} {}", y, x - 8);
                }
                let h8 = |v9: Int| -> Int {
                    if v9 < 2 {
                        return v9 * 2;
                    }
                    -c - 4
                };
                let mut v7 = h8(a / 5 + 6);
                if x >= 2 && { graph_print!("q10 {}", i3); i3 > 1 } {
                    continue;
                }
                x = i3.clone();
            }
            v2 = b + 7;
        } else {
            x = a.clone();
            v2 = (c % 7) * (b % 20);
        }
        x = b + 2;
        x + y % 1000
    }
    fn program_179(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = a + 2;
        let mut y = a.clone();
        for e1 in [x.clone(), y + 2] {
            let mut k2 = 0;
            while k2 < 1 {
                k2 += 1;
                let (v3, mut v4) = (tensor(6), a / 5 + 3);
                y = y + k2;
            }
            if !(5 < b && x % 3 == 1) {
                return -c - (c % 27);
            }
            let h6 = |v7: Int| -> Int {
                if v7 < 0 {
                    return v7 * 2;
                }
                (a % 34) * (e1 % 40) - (c % 5)
            };
            let mut v5 = h6(y - 7);
            if !(v5 % 2 == 0 && a % 2 == 1) {
                continue;
            }
            v5 = a - 1;
        }
        x -= (b % 10);
        if a >= c { (x % 5) * (c % 7) } else { b - (a % 37) }
    }
    fn program_180(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = a.clone();
        let mut y = (a + (c % 14)) % 90;
        if x + 3 <= a {
            return x.clone();
        }
        'l1: for i2 in c - 1..c + 1 {
            let mut k3 = 0;
            while k3 < 1 {
                k3 += 1;
                graph_print!("g4 {} {}", c, b + k3);
            }
            if b >= i2 && i2 > 0 {
                x = c.clone();
            } else {
                x /= 25;
                continue 'l1;
            }
            y %= 21;
        }
        y /= 14;
        x
    }
}
