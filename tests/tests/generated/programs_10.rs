//! Random programs, written by `cargo run -p graph-tests --bin generate_programs`: change that, not this.

super::programs! {
    fn program_148(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = (c % 11) * 9 - (b % 27);
        let mut y = b.clone();
        if !(b > c) || a > 1 {
            if a != 2 && (c > 9 || a < (y % 2)) {
                let v2;
                if x > 2 && y == (a % 32) {
                    x /= 13;
                    v2 = tensor(7);
                } else {
                    let mut a = y.clone();
                    v2 = a.clone();
                }
                return 8;
            } else if c >= c {
                for e3 in [c.clone(), x.clone()] {
                    x += (b % 32);
                }
                x = tensor(9);
            }
        }
        x += (b % 24);
        x + y % 1000
    }
    fn program_149(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = c.clone();
        let mut y = c.clone();
        loop {
            fuel -= 1;
            if fuel <= 0 {
                break;
            }
            for i1 in 0..2 {
                for i2 in 1..=b % 4 {
                    y = i2 + (b % 28);
                    (x, y) = (c - (x % 16), x + i1);
                    y = b.clone();
                }
                y %= 27;
            }
            x -= 1;
            if c > 0 {
                break;
            }
            y = a + (c % 26);
        }
        x += 3;
        x + y % 1000
    }
    fn program_150(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = c + (c % 34);
        let mut y = (c + (c % 41)) % 120;
        if !(b > x) && (y > 7 || b + (c % 39) <= a) {
            let (v1, mut v2) = (c - 0, (y + (a % 24)) % 110);
            return v2 / 4 + (a % 31);
        } else if x > 7 {
            'l3: while true {
                fuel -= 1;
                if fuel <= 0 {
                    break;
                }
                for i4 in 0..c % 5 {
                    (x, y) = ((x + 8) % 90, c + (x % 10));
                    (y, x) = (i4 + (i4 % 33), y.clone());
                    x /= 16;
                    if !(x > y) {
                        continue;
                    }
                    x = 0;
                }
                y = 2 - y;
                if a != 2 && (y + 2 <= c || b <= 1) {
                    break 'l3;
                }
                y -= 5;
            }
            x = c + 1;
        } else {
            x = 5 - y;
        }
        x -= (y % 23);
        b
    }
    fn program_151(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = b.clone();
        let mut y = x / 4 + (c % 9);
        let mut k1 = 0;
        while k1 < 2 {
            k1 += 1;
            match y % 4 {
                -2..1 if c >= c || a > (y % 8) => {
                    y += (a % 22);
                    graph_print!("g2 {} {}", b, (b % 3) * 9);
                }
                _ => {
                    let p3 = { graph_print!("q4 {}", c); c > 3 };
                }
            }
        }
        while fuel > 0 && y < 6 && 1 < a {
            fuel -= 1;
            y -= (b % 35);
        }
        x + y % 1000
    }
    fn program_152(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = c + 5;
        let mut y = b / 7 + 7;
        if !(y >= 3 && c >= c) {
            match y % 3 {
                4 | 6 if c >= 2 => {
                    x -= (b % 9);
                }
                1 => {
                    y = (c % 11) * 1 - (y % 6);
                }
                _ => {
                    x = tensor(4);
                    return -a - 3;
                }
            }
            let p1 = y >= y && !(a > b);
        }
        x -= 1;
        x + y % 1000
    }
    fn program_153(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = (c % 17) * 3;
        let mut y = c + (c % 21);
        let h2 = |v3: Int| if v3 > 3 { v3 - 3 } else { (c % 41) * 7 };
        let v1 = h2((a % 37) * 1 - (c % 39));
        'l4: loop {
            fuel -= 1;
            if fuel <= 0 {
                break;
            }
            'l5: while fuel > 0 && !(c >= y && b >= 1) {
                fuel -= 1;
                y += 2;
                x = v1.clone();
                x /= 22;
            }
            y /= 11;
            if !(4 < b && v1 != 6) {
                continue 'l4;
            }
            x = (a + 8) % 80;
        }
        y = v1 / 7 + 1;
        x + y % 1000
    }
    fn program_154(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = b.clone();
        let mut y = c + 1;
        if y == 0 {
            loop {
                fuel -= 1;
                if fuel <= 0 {
                    break;
                }
                x = c.clone();
                let p1 = x < (c % 20) && a > (y % 9);
                y -= 8;
                if { graph_print!("q2 {}", b); b > 4 } {
                    break;
                }
                y -= 8;
            }
            let p3 = 5 < y;
            return 4;
        }
        x = c + (c % 31);
        x + y % 1000
    }
    fn program_155(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = a / 2 + (c % 9);
        let mut y = 3 - b;
        if a <= (y % 19) || 5 < c {
            while fuel > 0 && (b != (y % 28) && (x % 3 == 1 || b >= 2)) {
                fuel -= 1;
                y = (y + 2) % 100;
                x = (x + (y % 41)) % 100;
                if !(c > b) {
                    continue;
                }
                y = b.clone();
            }
            return tensor(2);
        } else if c != 8 {
            for i1 in 1..=1 {
                y -= i1;
                if b % 3 == 1 {
                    continue;
                }
                y /= 20;
            }
        }
        y -= (b % 21);
        y
    }
    fn program_156(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = (b % 38) * 2 - (c % 20);
        let mut y = tensor(-2);
        let v1 = if 6 < b && (y <= 9 || c >= x) { -4 } else { b + 2 };
        let (v2, mut v3) = (tensor(-4), x + 3);
        let v4 = {
            if x + (v2 % 20) <= y && 3 < c {
                while fuel > 0 && !(v1 <= 4 && v1 % 5 == 2) {
                    fuel -= 1;
                    x = tensor(9);
                    y = b.clone();
                    if c >= b {
                        continue;
                    }
                    y += (v1 % 20);
                }
                x = a / 3 + 7;
            } else {
                x = y.clone();
            }
            (v2 + (v2 % 23)) % 100
        };
        return (b % 18) * 6 - (v3 % 38);
    }
    fn program_157(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = b / 3 + 6;
        let mut y = (x + 9) % 70;
        for e1 in [x + 3, (x + (b % 25)) % 90] {
            let h3 = |v4: Int| if v4 > 0 { v4 - 0 } else { x - (b % 36) };
            let mut v2 = h3(x + 2);
        }
        if y >= x && (3 < a || c + 2 <= a) {
            return (b + 8) % 110;
        }
        a
    }
    fn program_158(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = tensor(-9);
        let mut y = b + (b % 29);
        for e1 in [(a % 29) * 9, a + 3] {
            if 0 < e1 || e1 > (x % 41) {
                return 0;
            }
            for e2 in [(x + 2) % 90, (e1 % 41) * 4] {
                'l3: while fuel > 0 && a % 4 == 1 {
                    fuel -= 1;
                    y -= (e2 % 33);
                    let v4 = x + 0;
                    x = e1.clone();
                    if x % 2 == 0 || c > 3 {
                        return e1.clone();
                    }
                    y -= 0;
                }
                if a % 3 == 0 && (e1 >= (c % 25) || y < (x % 19)) {
                    break;
                }
                x += (b % 25);
            }
            if !(c + (x % 23) <= e1 && { graph_print!("q5 {}", y); y > 4 }) {
                break;
            }
            x += (a % 7);
        }
        y /= 27;
        x + y % 1000
    }
    fn program_159(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = a + 5;
        let mut y = (a % 20) * (c % 36);
        while true {
            fuel -= 1;
            if fuel <= 0 {
                break;
            }
            for i1 in (y % 3..y % 3 + 2).step_by(2) {
                if a + (a % 20) <= a && a <= (x % 40) {
                    y = 0;
                    y = x + 3;
                } else {
                    y /= 24;
                }
                y /= 31;
            }
        }
        x = c - 5;
        x + y % 1000
    }
    fn program_160(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = b + (a % 15);
        let mut y = b / 5 + (a % 13);
        while fuel > 0 && { graph_print!("q1 {}", c); c > 0 } {
            fuel -= 1;
            for i2 in 0..2 {
                graph_print!("g3 {} {}", b, x / 2 + (y % 27));
                (x, y) = (tensor(0), -c - 8);
            }
            for i4 in 0..b % 5 {
                y += 4;
                x += (c % 7);
            }
        }
        y %= 8;
        x + y % 1000
    }
    fn program_161(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = (b % 32) * 8;
        let mut y = x.clone();
        while fuel > 0 && (x <= 2 && (a > (x % 37) || a % 2 == 1)) {
            fuel -= 1;
            if c < (c % 29) || x >= a {
                for i1 in 1..=3 {
                    let p2 = !(y > a);
                    if !(y > a) || { graph_print!("q3 {}", x); x > 2 } {
                        return (a + (a % 3)) % 100;
                    }
                    y -= i1;
                }
                let mut k4 = 0;
                while k4 < 3 {
                    k4 += 1;
                    y += (a % 34);
                }
            } else {
                y %= 30;
            }
            if c == 9 && (y >= y || c >= 0) {
                break;
            }
            x = y + (c % 9);
        }
        y = a.clone();
        a
    }
    fn program_162(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = (a + 7) % 70;
        let mut y = x + (a % 9);
        for i1 in (0..c % 4).rev() {
            if !(x > x) {
                let (v2, mut v3) = (c - 1, (i1 + (b % 24)) % 100);
            } else if !(y < 4 && c % 4 == 2) {
                y += (x % 39);
            }
            if a <= (i1 % 26) {
                break;
            }
            x -= 9;
        }
        'l4: while fuel > 0 && !(x + 2 <= x && x >= c) {
            fuel -= 1;
            let mut k5 = 0;
            while k5 < 2 {
                k5 += 1;
                y = 0;
            }
        }
        x = (y % 29) * 4;
        y
    }
    fn program_163(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = c.clone();
        let mut y = (b % 40) * 4;
        while fuel > 0 && y % 4 == 0 {
            fuel -= 1;
            match c % 5 {
                -5..4 => {
                    graph_print!("g1 {a}");
                }
                3..=5 => {
                    (y, x) = (tensor(-9), c + 5);
                    x -= 2;
                }
                4 | 6 => {
                    y /= 20;
                }
                _ => {
                    y += (c % 4);
                }
            }
            x -= 3;
            if !(y % 2 == 0 && y < 3) {
                return 1;
            }
            y = tensor(3);
        }
        x += 4;
        x + y % 1000
    }
    fn program_164(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = a.clone();
        let mut y = x.clone();
        while fuel > 0 && x != (c % 26) {
            fuel -= 1;
            if c >= c {
                x = (x % 17) * 4 - (x % 7);
                graph_print!("g1 {c}");
            } else {
                let p2 = !(a > c);
            }
            if !(a <= 5 && b % 3 == 1) {
                continue;
            }
            x %= 16;
        }
        for e3 in [a.clone(), tensor(-8)] {
            x += 4;
        }
        x + y % 1000
    }
}
