//! Random programs, written by `cargo run -p graph-tests --bin generate_programs`: change that, not this.

super::programs! {
    fn program_143(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = c - 2;
        let mut y = c - 2;
        if x + 6 <= a && (x + (x % 18) <= b || b % 3 == 0) {
            for i1 in 0..x % 2 {
                let p2 = !(x == (i1 % 30) && b <= 5);
                y = b.clone();
                if x >= (a % 35) {
                    break;
                }
                y += (y % 27);
            }
        } else if b + 3 <= b && { graph_print!("q3 {}", y); y > 1 } {
            let p4 = x + 2 <= a;
            if x + (y % 30) <= c {
                return 4;
            }
            return (a % 21) - a;
        } else {
            y -= 9;
        }
        x = (b % 25) * 8 - (y % 31);
        return a + (a % 23);
    }
    fn program_144(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = (c % 38) * (a % 20) - (b % 32);
        let mut y = a.clone();
        let v2;
        if 7 < y {
            let v3 = tensor(7);
            v2 = a - 1;
        } else {
            'l4: loop {
                fuel -= 1;
                if fuel <= 0 {
                    break;
                }
                x += (y % 9);
                x = c + 9;
            }
            v2 = c / 2 + 1;
        }
        'l5: for i6 in (0..x % 4).rev() {
            x += 4;
            if y >= b && (b == (y % 29) || i6 > 1) {
                break 'l5;
            }
            y = a - (b % 28);
        }
        x
    }
    fn program_145(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = a - 1;
        let mut y = (a % 24) * 3 - (b % 12);
        match b % 3 {
            1 | 3 => {
                if 6 < c {
                    let mut v1 = if a != (c % 23) {
                        (y, x) = ((c % 10) * 1 - (y % 19), tensor(8));
                        (a % 25) * 4
                    } else {
                        x += (b % 21);
                        a + 3
                    };
                }
                while fuel > 0 && a <= 8 && 3 < c {
                    fuel -= 1;
                    x = (x % 35) - y;
                    if a % 3 == 0 && (x != 6 || x % 5 == 2) {
                        return b + (b % 16);
                    }
                    x %= 14;
                }
            }
            -1 if x != 4 => {
                x += 4;
                return b + 2;
            }
            4..=6 if c >= x => {
                x = x.clone();
            }
            _ => {
                y -= (y % 13);
            }
        }
        x = y.clone();
        x + y % 1000
    }
    fn program_146(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = b + (a % 35);
        let mut y = (x % 5) * (x % 22) - (b % 28);
        for i1 in 1..=3 {
            if i1 != 0 {
                let (v2, mut v3) = (y + (c % 12), c.clone());
            }
            for e4 in [y.clone(), b.clone()] {
                y -= 5;
                y -= (y % 30);
                y += 6;
            }
            y /= 2;
        }
        y = c + (y % 36);
        x + y % 1000
    }
    fn program_147(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = c + 4;
        let mut y = tensor(-1);
        while fuel > 0 && (x > (c % 32) && (a >= (y % 7) || { graph_print!("q1 {}", c); c > 1 })) {
            fuel -= 1;
            let mut k2 = 0;
            while k2 < 2 {
                k2 += 1;
                (x, y) = (a + 8, (a % 26) * 7 - (a % 11));
            }
            let mut k3 = 0;
            while k3 < 2 {
                k3 += 1;
                x -= 9;
            }
            if a % 5 == 0 {
                break;
            }
            x /= 30;
        }
        if { graph_print!("q4 {}", c); c > 6 } && (!(c > c) || c != (x % 5)) {
            x = tensor(-4);
            return (y + 4) % 80;
        } else {
            y = a - 1;
        }
        x += 0;
        y
    }
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
                y = 7i32 - y;
                if y % 4 == 1 {
                    break 'l3;
                }
                y %= 9;
            }
            y = 0;
        } else {
            y += (b % 25);
            return c + 1;
        }
        y /= 8;
        x + y % 1000
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
        let b = loop {
            fuel -= 1;
            if fuel <= 0 {
                break c.clone();
            }
            let mut k1 = 0;
            while k1 < 2 {
                k1 += 1;
                y += 7;
                y = b + 1;
            }
            for i2 in 1..=c % 2 {
                let mut v3 = -c - 9;
                if v3 < 1 || x <= 1 {
                    continue;
                }
                v3 = 0;
            }
            if c >= c {
                continue;
            }
            x = -b - 5;
        };
        y = (c + 2) % 90;
        c
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
        let mut y = (a % 4) - b;
        let mut v1 = if !(c >= c && a >= c) { x } else { -b - (a % 37) };
        let mut v2 = loop {
            fuel -= 1;
            if fuel <= 0 {
                break b + 1;
            }
            for i3 in 1..=b % 5 {
                let p4 = c >= b || i3 + (x % 31) <= x;
                x = c + (b % 39);
                let p5 = b < (x % 13) && c + 4 <= a;
            }
            x = tensor(-7);
            if y == (a % 3) {
                return (b % 14) * (x % 38);
            }
            y += 4;
        };
        y = tensor(10);
        x + y % 1000
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
}
