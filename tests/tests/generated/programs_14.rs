//! Random programs, written by `cargo run -p graph-tests --bin generate_programs`: change that, not this.

super::programs! {
    fn program_206(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = b + 2;
        let mut y = (c % 22) - b;
        loop {
            fuel -= 1;
            if fuel <= 0 {
                break;
            }
            loop {
                fuel -= 1;
                if fuel <= 0 {
                    break;
                }
                y = (y % 24) * (y % 15);
                for i1 in 0..2 {
                    x -= 5;
                    graph_print!("g2 {x}");
                    if x == (b % 38) && (a >= b || a >= b) {
                        break;
                    }
                    x = (c % 20) - x;
                }
                x = (y % 15) * 8;
                if y >= c {
                    continue;
                }
                y /= 2;
            }
            x /= 19;
            if b != 2 && y % 3 == 0 {
                return b + 2;
            }
            y += 2;
        }
        y /= 23;
        return (c % 34) * 2;
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
            for e1 in [(c % 34) - a, c + 2] {
                match x % 4 {
                    3 => {
                        y -= 1;
                        graph_print!("g2 {} {}", b, -x - 3);
                    }
                    -4 => {
                        y = (y + 4) % 120;
                    }
                    _ => {
                        x -= 1;
                    }
                }
                x /= 23;
                if 5 < a {
                    continue;
                }
                y %= 12;
            }
            return tensor(5);
        }
        y -= (b % 11);
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
        x = (c % 19) - y;
        x + y % 1000
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
            x = (c % 38) - e1;
        }
        y = 0;
        x -= 3;
        return (c + (x % 38)) % 120;
    }
    fn program_213(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = (b + 8) % 100;
        let mut y = tensor(8);
        while true {
            fuel -= 1;
            if fuel <= 0 {
                break;
            }
            for i1 in 0..x % 2 {
                graph_print!("g2 {c}");
                x = tensor(-5);
            }
            if 4 < c {
                continue;
            }
            y = (x + (b % 41)) % 100;
        }
        let mut k3 = 0;
        while k3 < 3 {
            k3 += 1;
            x = a.clone();
            y = 0;
        }
        if !(a >= 2 && c < (a % 35)) { a } else { (y + 3) % 100 }
    }
    fn program_214(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = a.clone();
        let mut y = (a % 36) * 1;
        let mut k1 = 0;
        while k1 < 1 {
            k1 += 1;
            while fuel > 0 && !(a != k1 && x % 2 == 2) {
                fuel -= 1;
                graph_print!("g2 {} {}", b, y / 7 + k1);
                graph_print!("g3 {b}");
                (x, y) = (y.clone(), tensor(9));
            }
            for e4 in [(y % 38) * 1, y - 8] {
                y -= k1;
            }
            x -= 8;
        }
        x += 8;
        b
    }
    fn program_215(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = (b % 16) * (b % 18);
        let mut y = c.clone();
        let v1 = if !(c % 3 == 2 && x < (c % 8)) { a } else { (y % 22) * 1 - (a % 12) };
        for i2 in 1..=x % 3 {
            x = 0;
            let p3 = a <= 6;
        }
        if x + 4 <= y {
            for i4 in v1 - 1..v1 + 0 {
                y %= 31;
            }
        } else {
            y = 0;
        }
        x + y % 1000
    }
    fn program_216(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = (c + 8) % 90;
        let mut y = b.clone();
        let v2;
        if a + 5 <= x {
            match c % 7 {
                -3..2 => {
                    if b % 2 == 2 {
                        y += (b % 33);
                        (x, y) = (c.clone(), a - (y % 13));
                        return c.clone();
                    } else if !(c > c) {
                        y /= 29;
                        x += (y % 12);
                    } else {
                        y %= 18;
                    }
                    x /= 27;
                }
                -4 => {
                    y = x.clone();
                }
                4..=6 => {
                    y = 4i32 - c;
                }
                _ => {
                    x -= (b % 26);
                }
            }
            v2 = (b % 33) * 1 - (b % 6);
        } else {
            x -= 6;
            v2 = y.clone();
        }
        x = v2.clone();
        x + y % 1000
    }
    fn program_217(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = tensor(6);
        let mut y = x - 7;
        loop {
            fuel -= 1;
            if fuel <= 0 {
                break;
            }
            if x + 5 <= a {
                y = b.clone();
                y = (a % 18) * 3 - (y % 23);
            } else if a >= y {
                graph_print!("g1 {y}");
            }
            if a + 0 <= c {
                x += 6;
                continue;
            } else if !(a % 3 == 0 && a != (a % 2)) {
                y += (y % 23);
            }
            y %= 7;
            if { graph_print!("q2 {}", a); a > 4 } && 1 < x {
                continue;
            }
            y = y.clone();
        }
        x = a.clone();
        return c / 5 + (y % 7);
    }
    fn program_218(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = tensor(-3);
        let mut y = x + (x % 27);
        'l1: while fuel > 0 && !(x % 2 == 1 && !(b > y)) {
            fuel -= 1;
            for i2 in a - 1..a + 0 {
                x = y / 5 + 3;
                if x >= b || !(a > c) {
                    break 'l1;
                }
                x += (c % 8);
            }
            let mut v3 = if b == (a % 30) {
                let v4 = y + 7;
                (x % 22) * 3 - (a % 16)
            } else {
                let p5 = c >= a;
                y - (c % 21)
            };
            if v3 >= y {
                break 'l1;
            }
            v3 += 7;
        }
        x = c.clone();
        x + y % 1000
    }
    fn program_219(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = (a % 23) * 5 - (a % 31);
        let mut y = (a % 21) * (b % 39);
        loop {
            fuel -= 1;
            if fuel <= 0 {
                break;
            }
            'l1: loop {
                fuel -= 1;
                if fuel <= 0 {
                    break;
                }
                let p2 = a + 3 <= y && (4 < x || y % 4 == 0);
                let p3 = x == 4;
            }
            'l4: while fuel > 0 && { graph_print!("q5 {}", b); b > 2 } {
                fuel -= 1;
                y = (b + 7) % 110;
            }
        }
        y -= 8;
        x + y % 1000
    }
    fn program_220(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = a / 7 + (b % 26);
        let mut y = (c % 11) - b;
        y -= 1;
        for i1 in 0..x % 2 {
            let h3 = |v4: Int| if v4 > 2 { v4 - 2 } else { (b + 5) % 120 };
            let v2 = h3(i1 / 6 + 2);
            let mut v5 = loop {
                fuel -= 1;
                if fuel <= 0 {
                    break i1.clone();
                }
                x = 6i32 - y;
                (y, x) = (v2 - 1, a.clone());
                x = c + 3;
            };
            if v5 > 9 {
                continue;
            }
            y = 0;
        }
        x = (a + (y % 40)) % 80;
        x
    }
    fn program_221(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = -c - 8;
        let mut y = (x + 1) % 80;
        let c = {
            for i1 in (0..a % 5).rev() {
                x += 4;
                x = 0;
                if !(i1 > i1) && x % 2 == 2 {
                    continue;
                }
                y += (a % 26);
            }
            c + (a % 11)
        };
        if { graph_print!("q2 {}", c); c > 3 } {
            if !(x > c) {
                return y.clone();
            }
        } else if b + 1 <= x {
            y -= 9;
        } else {
            x = tensor(-1);
        }
        y += (y % 40);
        x + y % 1000
    }
}
