//! Random programs, written by `cargo run -p graph-tests --bin generate_programs`: change that, not this.

super::programs! {
    fn program_272(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = (b % 37) - c;
        let mut y = tensor(4);
        while fuel > 0 && 1 < a {
            fuel -= 1;
            x /= 6;
            'l1: while fuel > 0 && c > 4 {
                fuel -= 1;
                'l2: loop {
                    fuel -= 1;
                    if fuel <= 0 {
                        break;
                    }
                    x = y + (a % 14);
                    x %= 20;
                }
                x = -c - 4;
            }
            x %= 15;
        }
        y = (b % 13) * (y % 37);
        x
    }
    fn program_273(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = 5i32 - c;
        let mut y = -c - 0;
        let (v1, mut v2) = ((y % 34) * 1 - (a % 35), (a % 37) * (c % 36) - (c % 31));
        let p3 = x < (a % 13);
        while true {
            fuel -= 1;
            if fuel <= 0 {
                break;
            }
            if !(c > c) || !(v2 > c) {
                return x + 2;
            }
            loop {
                fuel -= 1;
                if fuel <= 0 {
                    break;
                }
                y = v2 + (a % 34);
            }
            v2 /= 14;
        }
        v2 = -b - 2;
        return (b % 29) * (v1 % 30) - (a % 20);
    }
    fn program_274(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = b.clone();
        let mut y = b.clone();
        if !(b > a) {
            let (v1, mut v2) = (y / 3 + (a % 5), y / 2 + 1);
            return b / 6 + 6;
        } else if x >= (c % 32) && b >= b {
            while fuel > 0 && !(c > c) {
                fuel -= 1;
                let (v3, mut v4) = (x - 0, y.clone());
                if !(a < 2 && v3 % 4 == 2) {
                    continue;
                }
                y -= 5;
            }
            let mut k5 = 0;
            while k5 < 2 {
                k5 += 1;
                y = (c % 19) * (c % 15) - (x % 37);
                y = (y % 11) - c;
            }
            return (a % 13) * 7;
        }
        y = a / 5 + (b % 20);
        b
    }
    fn program_275(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = a / 6 + 0;
        let mut y = a / 2 + (b % 37);
        if !(b > a) && !(y > y) {
            match x % 5 {
                -1..0 => {
                    x = b.clone();
                }
                -2 if x % 5 == 2 && a % 2 == 0 => {
                    x += (y % 29);
                }
                _ => {
                    y += (a % 30);
                    return (x % 21) * (c % 17) - (y % 27);
                }
            }
        } else if b >= b || { graph_print!("q1 {}", a); a > 5 } {
            loop {
                fuel -= 1;
                if fuel <= 0 {
                    break;
                }
                y /= 11;
                if y == 1 && ({ graph_print!("q2 {}", c); c > 1 } || y <= 9) {
                    continue;
                }
                y += 4;
            }
            x = -b - 4;
        } else {
            x /= 10;
        }
        x %= 21;
        return b / 2 + 3;
    }
    fn program_276(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = b - 3;
        let mut y = (c % 12) * (x % 15);
        for e1 in [(c + 2) % 80, 7i32 - x] {
            if a <= 4 && (e1 < (c % 26) || b >= x) {
                return tensor(-1);
            }
            if x > 4 || { graph_print!("q2 {}", e1); e1 > 8 } {
                graph_print!("g3 {} {}", y, (b % 33) * 9);
                x = (c % 23) - y;
            } else {
                graph_print!("g4 {a}");
                x /= 5;
            }
            if c >= e1 {
                continue;
            }
            x /= 21;
        }
        x %= 28;
        x + y % 1000
    }
    fn program_277(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = tensor(-6);
        let mut y = c + (x % 19);
        let mut k1 = 0;
        while k1 < 1 {
            k1 += 1;
            match x % 5 {
                0 if a % 5 == 1 && c % 3 == 1 => {
                    let mut y = if b % 2 == 0 { 1 } else { y + (y % 35) };
                    (y, x) = (b.clone(), (c + (y % 16)) % 70);
                }
                4 => {
                    x += 7;
                }
                -3 => {
                    loop {
                        fuel -= 1;
                        if fuel <= 0 {
                            break;
                        }
                        x = 0;
                    }
                    x = b.clone();
                }
                _ => {
                    y /= 5;
                }
            }
            x = y.clone();
        }
        x = 0;
        return a + 9;
    }
    fn program_278(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = (a % 38) * (b % 9);
        let mut y = c + 2;
        for i1 in (0..x % 5).rev() {
            for i2 in 1..=x % 5 {
                if !(x > b) && a > (i2 % 19) {
                    x -= (b % 26);
                    let a = tensor(-3);
                }
            }
            if b <= 9 && a > 4 {
                return (c + (y % 9)) % 90;
            }
            x -= (c % 22);
            if c != 0 {
                continue;
            }
            y /= 31;
        }
        y = (y % 6) - y;
        return b + 2;
    }
    fn program_279(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = -b - 4;
        let mut y = c / 6 + 3;
        'l1: while fuel > 0 && x == (a % 24) {
            fuel -= 1;
            match c {
                0..=2 => {
                    if !(b > b) {
                        return 2;
                    }
                    loop {
                        fuel -= 1;
                        if fuel <= 0 {
                            break;
                        }
                        y %= 3;
                        let p2 = c > 2;
                        if !(c > 0 && { graph_print!("q3 {}", y); y > 8 }) {
                            return a / 4 + 1;
                        }
                        y -= 8;
                    }
                }
                4..=6 if x % 4 == 0 => {
                    y = -a - (y % 16);
                }
                _ => {
                    x = 2i32 - b;
                }
            }
            y = 4i32 - a;
        }
        x = (b % 33) * (c % 10) - (y % 16);
        a
    }
    fn program_280(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = b.clone();
        let mut y = tensor(-5);
        let mut k1 = 0;
        while k1 < 2 {
            k1 += 1;
            if !(y < (b % 8) && a <= 1) {
                x -= 5;
                x -= k1;
            }
            let mut k2 = 0;
            while k2 < 2 {
                k2 += 1;
                let p3 = a % 5 == 1;
                y %= 8;
            }
        }
        y -= 2;
        x + y % 1000
    }
    fn program_281(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = c.clone();
        let mut y = b.clone();
        'l1: loop {
            fuel -= 1;
            if fuel <= 0 {
                break;
            }
            for i2 in x - 1..x + 0 {
                let p3 = b % 4 == 1;
                y += 2;
                x -= 4;
            }
            match a % 3 {
                1 => {
                    y = (x % 3) * 6;
                }
                _ => {
                    x = tensor(-2);
                }
            }
            x -= (a % 8);
            if c <= (a % 12) || c + 1 <= a {
                continue 'l1;
            }
            x -= 5;
        }
        y -= 8;
        x + y % 1000
    }
    fn program_282(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = 2i32 - b;
        let mut y = -x - (x % 25);
        'l1: for i2 in 0..x % 2 {
            'l3: for i4 in (c % 3..c % 3 + 5).step_by(2) {
                x -= (i2 % 30);
                x -= (i4 % 16);
                if x == (b % 21) || b % 2 == 1 {
                    return c / 4 + (b % 26);
                }
                y = tensor(-9);
            }
            for i5 in (a % 3..a % 3 + 3).step_by(2) {
                graph_print!("g6 {} {}", i2, 4i32 - x);
                if y % 5 == 2 && c % 2 == 2 {
                    break 'l1;
                }
                x = tensor(-7);
            }
            x = 0;
            if 0 < x && (i2 >= 4 || i2 + 9 <= a) {
                break 'l1;
            }
            y += 4;
        }
        x %= 26;
        return a + 9;
    }
    fn program_283(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = c.clone();
        let mut y = tensor(5);
        match y {
            4..=6 => {
                if a != 3 && b < 1 {
                    let v1 = 'l2: {
                        if a >= c {
                            break 'l2 tensor(7);
                        }
                        x /= 14;
                        c / 2 + (c % 4)
                    };
                    while fuel > 0 && (b % 2 == 1 && (v1 >= c || v1 > 1)) {
                        fuel -= 1;
                        y -= 1;
                        y -= 6;
                        if x < 3 {
                            continue;
                        }
                        y %= 12;
                    }
                } else if 4 < a {
                    x = 0;
                }
                return (c % 33) * (b % 18) - (a % 35);
            }
            _ => {
                x += 4;
            }
        }
        y += (c % 17);
        x + y % 1000
    }
    fn program_284(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = c / 4 + 6;
        let mut y = x - 4;
        'l1: for i2 in (a % 3..a % 3 + 5).step_by(2) {
            match c % 5 {
                2 => {
                    (x, y) = (-i2 - (i2 % 12), tensor(-2));
                }
                _ => {
                    y -= 8;
                }
            }
            if { graph_print!("q3 {}", i2); i2 > 2 } || x % 3 == 1 {
                break 'l1;
            }
            y = (y % 27) * 3;
        }
        let mut x = loop {
            fuel -= 1;
            if fuel <= 0 {
                break c + 7;
            }
            y = 2i32 - b;
            x += 1;
            if a >= c {
                continue;
            }
            x += (b % 25);
        };
        x + y % 1000
    }
    fn program_285(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = (c + 5) % 90;
        let mut y = (b % 11) * 1;
        y -= (x % 24);
        if x % 2 == 0 {
            'l1: for i2 in 0..y % 4 {
                x = tensor(-2);
                if i2 >= i2 || c % 4 == 2 {
                    continue 'l1;
                }
                x += 2;
            }
        } else if x <= (c % 18) && b == (c % 18) {
            for i3 in y - 1..y + 0 {
                x %= 4;
                y = (b % 13) * 2;
            }
        } else {
            x += 6;
        }
        x
    }
    fn program_286(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = a.clone();
        let mut y = tensor(4);
        let mut k1 = 0;
        while k1 < 3 {
            k1 += 1;
            for e2 in [a - k1, b + 5] {
                let p3 = e2 >= y;
                x %= 28;
            }
            while fuel > 0 && (b % 2 == 0 && (x > (x % 26) || !(c > x))) {
                fuel -= 1;
                x = 0;
                y = tensor(-9);
            }
        }
        x -= (x % 18);
        x
    }
    fn program_287(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = tensor(6);
        let mut y = (c % 41) * 1 - (a % 24);
        if { graph_print!("q1 {}", c); c > 8 } {
            for e2 in [(c % 32) * (c % 33) - (c % 37), c - 7] {
                x = x + 7;
                y = e2.clone();
                y = x.clone();
            }
            'l3: for i4 in 1..=2 {
                y = tensor(6);
                if a == (c % 2) && a + (c % 31) <= x {
                    break 'l3;
                }
                y %= 23;
            }
        }
        x %= 14;
        x + y % 1000
    }
}
