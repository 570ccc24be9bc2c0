//! Random programs, written by `cargo run -p graph-tests --bin generate_programs`: change that, not this.

super::programs! {
    fn program_294(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = (c % 37) * 2 - (b % 33);
        let mut y = b.clone();
        let h2 = |v3: Int| -> Int {
            if v3 < 0 {
                return v3 * 2;
            }
            (b % 11) * (b % 18)
        };
        let mut v1 = h2(a - 1);
        while true {
            fuel -= 1;
            if fuel <= 0 {
                break;
            }
            for e4 in [x / 6 + (y % 41), 2 - c] {
                loop {
                    fuel -= 1;
                    if fuel <= 0 {
                        break;
                    }
                    x = 0;
                    v1 += 3;
                    x += 8;
                }
                v1 = 0;
                if !(b + 5 <= b && { graph_print!("q5 {}", c); c > 2 }) {
                    break;
                }
                y = 0;
            }
            v1 = x + 8;
            if 8 < v1 && (y <= 4 || b != 6) {
                return (c % 30) * (v1 % 35) - (y % 35);
            }
            v1 = b.clone();
        }
        y += (a % 33);
        return v1 + 4;
    }
    fn program_295(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = a + 1;
        let mut y = a.clone();
        if b % 2 == 2 && (1 < y || y + 0 <= y) {
            loop {
                fuel -= 1;
                if fuel <= 0 {
                    break;
                }
                let p1 = !(b >= y && a % 5 == 0);
            }
        }
        let h3 = |v4: Int| if v4 > 5 { v4 - 5 } else { x + (b % 26) };
        let v2 = h3((b % 28) * (a % 16));
        y
    }
    fn program_296(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = b.clone();
        let mut y = 9 - c;
        if c == 1 && a >= y {
            return -x - (a % 15);
        }
        for i1 in 1..=y % 3 {
            'l2: while fuel > 0 && x % 3 == 1 {
                fuel -= 1;
                while fuel > 0 && y == 6 {
                    fuel -= 1;
                    graph_print!("g3 {} {}", a, (a % 5) * (y % 3));
                    x = c.clone();
                    x = c.clone();
                    if a <= 3 {
                        break;
                    }
                    x -= (a % 8);
                }
                if a >= i1 {
                    continue 'l2;
                }
                x = 3 - c;
            }
        }
        x = y.clone();
        return (y + (b % 32)) % 90;
    }
    fn program_297(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = a + 2;
        let mut y = tensor(-3);
        for e1 in [-x - 0, a.clone()] {
            if x != (e1 % 40) && (e1 % 4 == 0 || c % 2 == 2) {
                (y, x) = ((c % 4) * 3, tensor(4));
                x += 9;
                break;
            }
            for e2 in [(c % 12) * 3, y + (a % 28)] {
                (y, x) = ((b % 21) - y, e2 + (a % 41));
            }
            if b + (a % 19) <= a {
                continue;
            }
            y = 0;
        }
        y -= 1;
        x + y % 1000
    }
    fn program_298(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = c + 7;
        let mut y = (a % 12) * (b % 30);
        match b % 6 {
            -1 if b >= c && b < 3 => {
                loop {
                    fuel -= 1;
                    if fuel <= 0 {
                        break;
                    }
                    let a = c - 5;
                    let mut v1 = a - 1;
                    x = x.clone();
                }
            }
            _ => {
                while true {
                    fuel -= 1;
                    if fuel <= 0 {
                        break;
                    }
                    x = (x % 26) - x;
                    if !(!(y > a) && x != 6) {
                        break;
                    }
                    y = (y % 13) * 4;
                }
            }
        }
        y -= 4;
        if b >= b { x } else { b - 4 }
    }
    fn program_299(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = a.clone();
        let mut y = 6 - b;
        let v1 = 'l2: {
            if !(4 < x && a > 8) {
                break 'l2 -x - (c % 19);
            }
            let h3 = |v4: Int| if v4 > 5 { v4 - 5 } else { (y % 22) * (a % 24) };
            let b = h3(a + 8);
            a / 5 + (b % 35)
        };
        for i5 in (0..v1 % 3).rev() {
            let p6 = !(v1 > 6 && i5 % 2 == 2);
        }
        if v1 >= v1 || { graph_print!("q7 {}", v1); v1 > 8 } {
            if 7 < c || y % 4 == 2 {
                return (b % 2) * (a % 8);
            }
        } else {
            x = tensor(10);
        }
        x = b.clone();
        if b >= (y % 37) { y } else { c + 3 }
    }
    fn program_300(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = (b % 33) * 2;
        let mut y = (c + (x % 13)) % 110;
        let b = 'l1: {
            if 8 < a {
                break 'l1 x.clone();
            }
            if y + (x % 40) <= c {
                y = y + (c % 8);
            }
            y + 3
        };
        let (v2, mut v3) = (c.clone(), -x - 1);
        let mut k4 = 0;
        while k4 < 2 {
            k4 += 1;
            let v5 = loop {
                fuel -= 1;
                if fuel <= 0 {
                    break b - (v2 % 37);
                }
                v3 /= 26;
            };
            y -= k4;
        }
        x = v3 + (c % 7);
        x + y % 1000
    }
    fn program_301(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = (a % 4) * (a % 18) - (b % 34);
        let mut y = c / 6 + 0;
        y = b - 6;
        while fuel > 0 && x % 3 == 2 {
            fuel -= 1;
            'l1: for i2 in 0..y % 3 {
                'l3: loop {
                    fuel -= 1;
                    if fuel <= 0 {
                        break;
                    }
                    graph_print!("g4 {} {}", y, b + 8);
                    x = (c % 26) - y;
                    if !(b < (y % 3) && 7 < x) {
                        continue 'l1;
                    }
                    y += 4;
                }
            }
            x /= 11;
            if !(b > c) {
                break;
            }
            x = tensor(-3);
        }
        x /= 14;
        x + y % 1000
    }
    fn program_302(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = (b + 4) % 90;
        let mut y = x.clone();
        let v1 = loop {
            fuel -= 1;
            if fuel <= 0 {
                break b.clone();
            }
            'l2: loop {
                fuel -= 1;
                if fuel <= 0 {
                    break;
                }
                let v4;
                if c + 3 <= a {
                    let p5 = b == 2;
                    v4 = (c % 19) * (b % 25) - (c % 2);
                } else {
                    x %= 11;
                    v4 = y / 6 + 1;
                }
                let v7;
                if c >= (c % 5) {
                    y += (b % 21);
                    v7 = tensor(-4);
                } else {
                    x %= 20;
                    v7 = 1 - v4;
                }
                y = 0;
                if 1 < y {
                    continue 'l2;
                }
                x += (b % 38);
            }
            x += (b % 8);
            if c == 8 || { graph_print!("q8 {}", c); c > 3 } {
                break x - (a % 31);
            }
            x = 0;
        };
        y += 5;
        x + y % 1000
    }
    fn program_303(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = (c % 6) * 9;
        let mut y = 1 - c;
        let v2;
        if { graph_print!("q3 {}", c); c > 1 } {
            for i4 in (0..2).rev() {
                match y % 4 {
                    -4..3 => {
                        let p5 = a <= (b % 14) && x % 5 == 0;
                    }
                    _ => {
                        x = 0;
                        x = b / 3 + 3;
                    }
                }
                if b >= 7 && (c % 4 == 1 || a + 1 <= c) {
                    break;
                }
                y = a.clone();
            }
            v2 = a - 2;
        } else {
            y = 0;
            v2 = x.clone();
        }
        y = (v2 + (y % 5)) % 120;
        x + y % 1000
    }
    fn program_304(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = c.clone();
        let mut y = tensor(-3);
        let h2 = |v3: Int| if v3 > 7 { v3 - 7 } else { (b + 4) % 90 };
        let v1 = h2(-x - 5);
        if !(x < 1 && x < 8) {
            x += (v1 % 24);
            return a / 7 + 3;
        } else if v1 >= y && 4 < c {
            let mut v4 = if y + (c % 20) <= y { a + 4 } else { x / 4 + 2 };
        }
        if a % 4 == 1 {
            'l5: for i6 in 1..=1 {
                y = a.clone();
                if i6 == 2 {
                    continue 'l5;
                }
                y -= 3;
            }
        } else {
            y = 0;
            return tensor(-4);
        }
        x -= (v1 % 34);
        x + y % 1000
    }
    fn program_305(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = tensor(-8);
        let mut y = -b - 2;
        'l1: while fuel > 0 && b == 9 && c % 4 == 1 {
            fuel -= 1;
            let mut k2 = 0;
            while k2 < 2 {
                k2 += 1;
                y /= 7;
                graph_print!("g3 {} {}", y, (b % 20) * 7);
            }
        }
        while true {
            fuel -= 1;
            if fuel <= 0 {
                break;
            }
            if c >= c && a != 1 {
                return c.clone();
            }
            y = 0;
            if !(a + 9 <= b && { graph_print!("q4 {}", b); b > 5 }) {
                break;
            }
            y = (y % 25) * 3;
        }
        y -= 2;
        if a != 8 { (x % 12) * 1 } else { (a % 33) * 8 }
    }
    fn program_306(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = (c + 7) % 90;
        let mut y = x.clone();
        let p1 = a % 4 == 2 && (x != 2 || a > 2);
        if { graph_print!("q2 {}", c); c > 1 } {
            let mut c = 'l3: {
                if p1 && (c < 8 || c % 5 == 0) {
                    break 'l3 a.clone();
                }
                let v4 = 3 - x;
                (v4 + 9) % 90
            };
        } else if c > 7 {
            match c % 4 {
                0 => {
                    x = b.clone();
                    return b + 6;
                }
                -1..0 => {
                    x /= 7;
                }
                _ => {
                    x += 2;
                }
            }
            y = a + 1;
            return (a % 38) * (x % 38);
        } else {
            x = y.clone();
        }
        return (y % 29) * 2;
    }
    fn program_307(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = b + 1;
        let mut y = b.clone();
        for i1 in (x % 3..x % 3 + 5).step_by(2) {
            'l2: loop {
                fuel -= 1;
                if fuel <= 0 {
                    break;
                }
                let mut c = match c % 7 {
                    0 if a > 6 => (c % 32) - x,
                    _ => (a % 26) * (a % 37) - (c % 31),
                };
            }
            'l3: for i4 in y - 1..y + 3 {
                'l5: for i6 in 1..=i1 % 3 {
                    y -= 4;
                    y -= 5;
                    if b >= x {
                        continue 'l3;
                    }
                    x += 2;
                }
                y -= 9;
            }
        }
        x -= (a % 26);
        x + y % 1000
    }
    fn program_308(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = (c % 35) - a;
        let mut y = c.clone();
        let v2;
        if y + 6 <= c || !(y > c) {
            for i3 in c - 1..c + 0 {
                x += 1;
                let (v4, mut v5) = (c / 2 + (c % 31), (y % 36) * (y % 16));
                (y, x) = ((x % 28) * 4 - (v5 % 31), (v5 + 6) % 120);
            }
            v2 = a.clone();
        } else {
            let mut v6 = if b == 2 && x % 5 == 0 { x } else { a - (b % 9) };
            v2 = v6.clone();
        }
        y = y.clone();
        b
    }
}
