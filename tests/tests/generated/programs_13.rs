//! Random programs, written by `cargo run -p graph-tests --bin generate_programs`: change that, not this.

super::programs! {
    fn program_198(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = tensor(6);
        let mut y = (b + (a % 4)) % 90;
        let mut k1 = 0;
        while k1 < 3 {
            k1 += 1;
            x += k1;
        }
        if y % 5 == 1 || x % 3 == 2 {
            let mut b = match c {
                -4..3 => return x / 5 + 1,
                2 => -x - 8,
                n if n > 7 => n - 7,
                n => n + 1,
            };
        } else {
            match b % 7 {
                -3..2 => {
                    y /= 4;
                }
                4..=6 => {
                    y = y / 3 + 5;
                }
                -5 if b == (y % 11) => {
                    x = (y % 14) * (b % 3);
                }
                _ => {
                    y -= 3;
                }
            }
            y -= 2;
            return (b % 10) * 4;
        }
        x = (a % 41) * (b % 23) - (c % 19);
        x + y % 1000
    }
    fn program_199(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = b + (b % 41);
        let mut y = (x + (c % 40)) % 100;
        if b % 5 == 0 && (a % 3 == 2 || a + 7 <= y) {
            return 1;
        }
        while fuel > 0 && (c % 5 == 0 && (c < 3 || a % 5 == 2)) {
            fuel -= 1;
            loop {
                fuel -= 1;
                if fuel <= 0 {
                    break;
                }
                match y % 6 {
                    4 => {
                        (y, x) = (y + 3, (y % 19) * (a % 26) - (a % 31));
                        x /= 15;
                    }
                    -1 if y >= y && c % 4 == 0 => {
                        y /= 30;
                    }
                    -2..1 => {
                        y = tensor(5);
                    }
                    _ => {
                        y = 0;
                    }
                }
                y = b.clone();
            }
            x = (x % 12) * (y % 5) - (x % 18);
        }
        x += 7;
        return a + 2;
    }
    fn program_200(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = -b - (a % 22);
        let mut y = x.clone();
        match y % 3 {
            -3 => {
                let mut k1 = 0;
                while k1 < 2 {
                    k1 += 1;
                    y = b + 4;
                    graph_print!("g2 {a}");
                    graph_print!("g3 {y}");
                }
                'l4: for i5 in (c % 3..c % 3 + 5).step_by(2) {
                    x -= (b % 15);
                }
            }
            2 | 4 => {
                y = tensor(2);
            }
            _ => {
                y = (x + 9) % 80;
            }
        }
        y = 9 - b;
        if 2 < y { y + (c % 32) } else { b / 7 + 2 }
    }
    fn program_201(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = (c % 23) * (a % 26) - (b % 4);
        let mut y = (x % 16) * 4;
        match y {
            -2..1 if b >= c => {
                loop {
                    fuel -= 1;
                    if fuel <= 0 {
                        break;
                    }
                    if y > 3 && c >= a {
                        let p1 = c % 3 == 0;
                    } else if { graph_print!("q2 {}", c); c > 4 } {
                        y = a.clone();
                    } else {
                        graph_print!("g3 {b}");
                    }
                    y += (a % 13);
                }
                x /= 19;
            }
            _ => {
                y = -a - 9;
            }
        }
        y = 0;
        if a % 5 == 0 { b } else { (b % 20) * 4 - (c % 7) }
    }
    fn program_202(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = b + (b % 13);
        let mut y = c + (a % 7);
        match b {
            2 | 4 => {
                let p1 = !({ graph_print!("q2 {}", x); x > 4 } && b < (x % 41));
                while fuel > 0 && x < 6 {
                    fuel -= 1;
                    for i3 in 1..=2 {
                        x = (y % 33) * 1;
                        x = 5 - x;
                        y += 5;
                        if p1 {
                            return y.clone();
                        }
                        x = (c % 10) * i3 - (a % 40);
                    }
                    if c % 2 == 1 && y % 3 == 1 {
                        break;
                    }
                    x = 0;
                }
            }
            1..=3 => {
                x -= (b % 18);
            }
            _ => {
                x += 7;
                return (b + (x % 2)) % 110;
            }
        }
        x /= 17;
        a
    }
    fn program_203(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = tensor(-5);
        let mut y = c - (c % 38);
        let h1 = |v2: Int| -> Int {
            if v2 < 7 {
                return v2 * 2;
            }
            7 - x
        };
        let x = h1(6 - a);
        'l3: while fuel > 0 && b % 4 == 1 {
            fuel -= 1;
            let v4;
            if c >= y && b + (c % 13) <= c {
                graph_print!("g5 {} {}", b, (c % 27) - b);
                v4 = b.clone();
            } else {
                y = (c % 23) * (a % 28) - (y % 21);
                v4 = b.clone();
            }
            'l6: while fuel > 0 && a + 0 <= a {
                fuel -= 1;
                y = x.clone();
                if b + 8 <= a {
                    break 'l6;
                }
                y /= 18;
            }
        }
        y += 4;
        c
    }
    fn program_204(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = 0 - c;
        let mut y = tensor(-2);
        let v2;
        if b == 5 {
            if !(a >= x && x >= (a % 24)) {
                if 2 < b && (!(y > b) || x + 1 <= x) {
                    let v3 = (a % 19) - y;
                    x += 9;
                } else if { graph_print!("q4 {}", b); b > 4 } {
                    let y = (a % 40) * (b % 26) - (x % 3);
                } else {
                    x %= 21;
                }
            }
            v2 = y + 9;
        } else {
            x %= 13;
            v2 = (c % 14) * 4 - (c % 25);
        }
        y = (v2 % 21) * 1;
        return 9 - v2;
    }
    fn program_205(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = c.clone();
        let mut y = b / 5 + 8;
        let mut k1 = 0;
        while k1 < 2 {
            k1 += 1;
            if k1 == 2 {
                x += 4;
            }
        }
        for i2 in a - 1..a + 0 {
            if i2 >= x && b <= (i2 % 35) {
                y = tensor(-3);
                y = tensor(0);
            }
            y = i2.clone();
            if 7 < x && b % 4 == 1 {
                break;
            }
            y += (x % 15);
        }
        y = -y - 5;
        return (x % 18) * 4 - (b % 16);
    }
    fn program_206(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = b + 2;
        let mut y = 2 - b;
        'l1: loop {
            fuel -= 1;
            if fuel <= 0 {
                break;
            }
            match b % 6 {
                3 => {
                    x /= 6;
                    let v2 = tensor(1);
                }
                -5 if x + (c % 23) <= y => {
                    y = tensor(6);
                    x = b / 6 + 1;
                }
                _ => {
                    y = 0;
                }
            }
            y /= 17;
            if { graph_print!("q3 {}", b); b > 8 } {
                return a - 2;
            }
            x += 2;
        }
        x = tensor(0);
        return b + (x % 10);
    }
    fn program_207(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = c.clone();
        let mut y = c.clone();
        let v1 = loop {
            fuel -= 1;
            if fuel <= 0 {
                break x.clone();
            }
            match x {
                2..=4 if a != 1 && c >= a => {
                    let v2 = x + (y % 8);
                }
                1 if !(c > b) => {
                    x = a.clone();
                    let p3 = 2 < b && (x % 5 == 0 || c >= y);
                }
                -2 if a % 5 == 2 && (2 < y || y <= 2) => {
                    (x, y) = ((y + 1) % 70, b / 6 + 0);
                }
                _ => {
                    x = b - (b % 2);
                }
            }
            if 0 < a {
                break a.clone();
            }
            y += 0;
        };
        y /= 4;
        x + y % 1000
    }
    fn program_208(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = (c % 5) * 5;
        let mut y = b.clone();
        let mut v1 = {
            for e2 in [(a + (b % 27)) % 120, b + 0] {
                y /= 9;
                if c % 5 == 1 {
                    return x + 2;
                }
                x = -x - 5;
            }
            (c % 16) * 6 - (c % 4)
        };
        let mut k3 = 0;
        while k3 < 1 {
            k3 += 1;
            loop {
                fuel -= 1;
                if fuel <= 0 {
                    break;
                }
                v1 = -v1 - k3;
                v1 = v1 + k3;
            }
            x += k3;
        }
        x + y % 1000
    }
    fn program_209(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = tensor(6);
        let mut y = tensor(0);
        if c == 1 {
            let a = if x >= x && 3 < a { -5 } else { (x % 3) * 4 };
            return tensor(-1);
        } else {
            for e1 in [8 - a, c.clone()] {
                let mut v2 = match e1 {
                    -3 if 0 < b => a - 2,
                    -4 => -e1 - 1,
                    _ => e1 + (x % 9),
                };
                let h4 = |v5: Int| if v5 > 6 { v5 - 6 } else { v2 + 6 };
                let v3 = h4(y + (a % 29));
                while true {
                    fuel -= 1;
                    if fuel <= 0 {
                        break;
                    }
                    x = 0;
                }
            }
            return 7;
        }
        x = y - (x % 3);
        c
    }
    fn program_210(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = c.clone();
        let mut y = b.clone();
        'l1: for i2 in b - 1..b + 3 {
            y = a / 5 + (y % 29);
            'l3: for i4 in (0..x % 5).rev() {
                let mut v5 = y - (y % 34);
            }
        }
        for e6 in [b + 0, x - 3] {
            let h8 = |v9: Int| -> Int {
                if v9 < 6 {
                    return v9 * 2;
                }
                (x + 1) % 90
            };
            let mut v7 = h8((a % 21) * 5 - (c % 21));
        }
        y = y.clone();
        y
    }
    fn program_211(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = tensor(-3);
        let mut y = -x - 2;
        'l1: loop {
            fuel -= 1;
            if fuel <= 0 {
                break;
            }
            let mut v2 = loop {
                fuel -= 1;
                if fuel <= 0 {
                    break x.clone();
                }
                let p3 = y > (y % 13) && { graph_print!("q4 {}", b); b > 0 };
                y /= 31;
                (y, x) = (a.clone(), (a % 34) * 1);
            };
            let mut k5 = 0;
            while k5 < 1 {
                k5 += 1;
                v2 = (y + 6) % 100;
            }
        }
        x = 2 - y;
        c
    }
    fn program_212(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = -a - (a % 26);
        let mut y = tensor(-5);
        for e1 in [y / 5 + (y % 9), -c - 3] {
            if x >= b {
                let p2 = { graph_print!("q3 {}", x); x > 8 };
            } else if e1 == 6 && (c + 1 <= b || { graph_print!("q4 {}", b); b > 8 }) {
                x = y.clone();
                x = y / 7 + 7;
            }
            if x == 3 {
                break;
            }
            x = (c % 4) - e1;
        }
        if 3 < b || 1 < c {
            return x.clone();
        }
        y = x.clone();
        return a + (a % 33);
    }
}
