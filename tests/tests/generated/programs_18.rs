//! Random programs, written by `cargo run -p graph-tests --bin generate_programs`: change that, not this.

super::programs! {
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
                    x = (b % 34) - b;
                    continue 'l1;
                }
            }
            y = a.clone();
            if !(c > b) {
                break 'l1;
            }
            y = x.clone();
        }
        y = -b - (y % 9);
        return (b + 5) % 110;
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
        let mut x = (a % 37) - b;
        let mut y = (x + 7) % 120;
        while fuel > 0 && x <= 3 {
            fuel -= 1;
            x = tensor(-3);
            if a % 2 == 0 {
                break;
            }
            y = 0;
        }
        'l1: while fuel > 0 && a % 2 == 0 && 3 < y {
            fuel -= 1;
            loop {
                fuel -= 1;
                if fuel <= 0 {
                    break;
                }
                let v2 = a + 4;
                if a >= 6 {
                    break;
                }
                x = (a + 4) % 90;
            }
            if a != (b % 25) {
                y = tensor(-5);
            }
            if !(c >= b && { graph_print!("q3 {}", a); a > 4 }) {
                break 'l1;
            }
            x -= (x % 29);
        }
        y = -a - 9;
        x + y % 1000
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
            y = 7 - b;
            x = y - 1;
            if c >= c {
                continue;
            }
            x = (c % 4) - x;
        };
        if y % 2 == 1 { 8 } else { x + (x % 24) }
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
    fn program_288(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = tensor(-3);
        let mut y = c.clone();
        match y % 6 {
            3 | 5 => {
                for i1 in (y % 3..y % 3 + 3).step_by(2) {
                    loop {
                        fuel -= 1;
                        if fuel <= 0 {
                            break;
                        }
                        y %= 14;
                    }
                    'l2: while fuel > 0 && x > (a % 32) {
                        fuel -= 1;
                        graph_print!("g3 {x}");
                        x = tensor(1);
                        if !(y > a) {
                            break 'l2;
                        }
                        y = y.clone();
                    }
                    y = i1.clone();
                    if !(a >= c && c % 3 == 0) {
                        continue;
                    }
                    x -= (a % 9);
                }
                return -x - 9;
            }
            2 => {
                y = (c % 22) * 9 - (x % 27);
            }
            _ => {
                x += (c % 32);
            }
        }
        y = -b - (a % 16);
        x + y % 1000
    }
    fn program_289(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = b + 1;
        let mut y = -c - 3;
        let v1 = match y % 5 {
            2..=4 => (y % 27) * (a % 8) - (b % 27),
            0 | 2 => b,
            n if n > 7 => n - 7,
            n => n + 1,
        };
        for e2 in [(x + 2) % 110, (c % 38) - x] {
            while true {
                fuel -= 1;
                if fuel <= 0 {
                    break;
                }
                let p3 = e2 % 3 == 1;
                y = -x - 4;
                x = (a % 38) - a;
            }
            x -= (e2 % 27);
            if !(c > c) || !(v1 > x) {
                break;
            }
            y -= 4;
        }
        x + y % 1000
    }
    fn program_290(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = (a % 7) * (b % 15) - (b % 22);
        let mut y = tensor(-8);
        match c % 3 {
            3..=5 => {
                let mut v1 = {
                    for e2 in [x.clone(), (c % 39) * (x % 27)] {
                        let p3 = a < 7 && !(e2 > x);
                        graph_print!("g4 {} {}", y, (b % 21) - x);
                        let p5 = 0 < b || e2 + (x % 17) <= y;
                    }
                    y + 0
                };
                y -= (x % 28);
            }
            4 => {
                x = 6 - c;
            }
            _ => {
                y += (y % 6);
            }
        }
        x = y - (c % 36);
        return 3 - c;
    }
    fn program_291(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = (a % 32) * 2;
        let mut y = (a % 26) * 4;
        let mut v1 = {
            loop {
                fuel -= 1;
                if fuel <= 0 {
                    break;
                }
                let mut v2 = y.clone();
            }
            (a % 22) * (a % 32)
        };
        if c > (y % 14) && (0 < a || a != 7) {
            return 3;
        }
        let v3 = v1 + 2;
        y = (y % 19) * (b % 8);
        x + y % 1000
    }
    fn program_292(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = (a + (a % 34)) % 90;
        let mut y = c + (b % 24);
        for i1 in (0..b % 4).rev() {
            while true {
                fuel -= 1;
                if fuel <= 0 {
                    break;
                }
                for i2 in (0..i1 % 3).rev() {
                    let v3 = -y - 3;
                    x /= 21;
                    y %= 25;
                }
                y = (i1 % 19) * 1 - (a % 10);
                if y % 3 == 2 {
                    continue;
                }
                y = y.clone();
            }
            y -= (a % 30);
            if y == (b % 41) && 7 < c {
                return 5;
            }
            x -= (i1 % 5);
        }
        x += (c % 21);
        if b + (b % 24) <= c { (y + (b % 39)) % 120 } else { c - 6 }
    }
    fn program_293(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = tensor(-1);
        let mut y = c.clone();
        while fuel > 0 && (c >= a || b <= (x % 12)) {
            fuel -= 1;
            x /= 26;
            if b % 3 == 0 {
                graph_print!("g1 {} {}", y, x - 0);
                continue;
            }
            if a % 5 == 0 && 5 < a {
                continue;
            }
            x = y.clone();
        }
        if c + 4 <= a {
            if a > (c % 23) {
                y = tensor(3);
                return 6 - x;
            }
            x = a + (y % 21);
        } else if c <= 1 && (x >= 2 || y % 5 == 0) {
            x = 0;
            return (x % 30) - x;
        }
        x = tensor(-1);
        if y != (x % 7) { a / 5 + 0 } else { (x + 4) % 120 }
    }
}
