//! Random programs, written by `cargo run -p graph-tests --bin generate_programs`: change that, not this.

super::programs! {
    fn program_048(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = a.clone();
        let mut y = c.clone();
        graph_print!("g1 {c}");
        let x = loop {
            fuel -= 1;
            if fuel <= 0 {
                break a + (c % 26);
            }
            for i2 in x - 1..x + 1 {
                x -= (a % 37);
                y = x + (y % 6);
            }
            let v3 = loop {
                fuel -= 1;
                if fuel <= 0 {
                    break c + (c % 6);
                }
                x /= 20;
                if b % 5 == 1 {
                    continue;
                }
                y %= 16;
            };
            if y >= b {
                break 4i32 - a;
            }
            x += (x % 20);
        };
        x + y % 1000
    }
    fn program_049(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = b + (b % 2);
        let mut y = a + 2;
        let v2;
        if !(4 < c && b >= 0) {
            let mut k3 = 0;
            while k3 < 3 {
                k3 += 1;
                x %= 5;
                graph_print!("g4 {} {}", x, (b % 24) * (x % 34) - (c % 9));
            }
            v2 = b.clone();
        } else {
            x -= 6;
            v2 = -a - (y % 19);
        }
        for i5 in (0..a % 3).rev() {
            x -= 1;
        }
        a
    }
    fn program_050(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = tensor(-6);
        let mut y = b + (x % 30);
        if x % 5 == 2 && a >= a {
            if !(y + 5 <= y && b != (y % 15)) {
                y = b + 7;
                x += (y % 35);
            } else if b + (b % 19) <= a {
                let (v1, mut v2) = (c + 3, b.clone());
                let mut x = -b - 1;
                return (b % 41) - a;
            } else {
                y /= 4;
                return 5;
            }
        } else {
            x = 0;
        }
        y = b.clone();
        c
    }
    fn program_051(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = a + (b % 6);
        let mut y = a.clone();
        let v2;
        if a >= x {
            let v3 = y / 3 + (c % 20);
            v2 = x.clone();
        } else {
            let v5;
            if !(c % 5 == 2 && b >= y) {
                let v6 = (a % 31) - y;
                v5 = (x % 35) * 8 - (v6 % 41);
            } else {
                y = b / 2 + (y % 24);
                v5 = x.clone();
            }
            v2 = v5 / 2 + 4;
        }
        if !(y + (a % 9) <= b && c + (c % 25) <= x) {
            y /= 2;
            return (y % 28) * (a % 33);
        } else if !(a >= y && x != 2) {
            y = b.clone();
        }
        y += 0;
        return (v2 % 36) - c;
    }
    fn program_052(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = (a % 37) * (b % 7);
        let mut y = -x - 3;
        let (v1, mut v2) = (x.clone(), tensor(9));
        let mut k3 = 0;
        while k3 < 2 {
            k3 += 1;
            v2 = 0;
        }
        'l4: loop {
            fuel -= 1;
            if fuel <= 0 {
                break;
            }
            v2 = 0;
            if v2 != 9 {
                return tensor(6);
            }
            y += 4;
        }
        v2 -= (v2 % 31);
        v1
    }
    fn program_053(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = tensor(1);
        let mut y = c.clone();
        match a % 7 {
            4..=6 if c <= (c % 41) || y % 4 == 1 => {
                x /= 20;
            }
            2..=4 => {
                let mut k1 = 0;
                while k1 < 1 {
                    k1 += 1;
                    for i2 in 0..b % 3 {
                        y -= (y % 41);
                        let p3 = b != (b % 36);
                    }
                    y = -y - 6;
                }
            }
            _ => {
                x = 7i32 - y;
            }
        }
        x = (y + (a % 17)) % 120;
        return (b % 26) * 1;
    }
    fn program_054(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = (c % 9) * 4 - (a % 12);
        let mut y = a - (a % 7);
        'l1: while fuel > 0 && (c != 6 && (b <= 4 || a != 4)) {
            fuel -= 1;
            'l2: for i3 in 0..b % 5 {
                x = y + (a % 16);
            }
            'l4: while fuel > 0 && !(x > a) {
                fuel -= 1;
                let (v5, mut v6) = (-y - (x % 40), (c % 20) * 1 - (y % 25));
                x += (x % 40);
            }
        }
        x = 0;
        b
    }
    fn program_055(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = tensor(-9);
        let mut y = (a % 38) * 1 - (c % 17);
        'l1: for i2 in x - 1..x + 1 {
            graph_print!("g3 {} {}", x, (x % 18) * (x % 10));
            if !(x % 4 == 2 && 8 < c) {
                break 'l1;
            }
            x = 0;
        }
        while fuel > 0 && (y % 2 == 1 || b >= 2) {
            fuel -= 1;
            x += (c % 8);
        }
        let v4 = {
            let v5 = match b {
                2 if a < (a % 5) && 3 < b => (c + 2) % 100,
                3 if y % 3 == 1 => return (a % 27) * 1,
                _ => (b % 18) * 2 - (a % 37),
            };
            y - 8
        };
        x + y % 1000
    }
    fn program_056(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = tensor(-7);
        let mut y = tensor(-3);
        if !(x != 3 && { graph_print!("q1 {}", b); b > 4 }) {
            (y, x) = (-b - 7, tensor(7));
            return b - 3;
        } else {
            for e2 in [a.clone(), b.clone()] {
                if a >= y && e2 >= a {
                    graph_print!("g3 {c}");
                } else if e2 != 6 {
                    let (v4, mut v5) = (tensor(6), x.clone());
                } else {
                    x -= 1;
                }
            }
            x -= (a % 3);
        }
        y += 6;
        c
    }
    fn program_057(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = tensor(9);
        let mut y = (a + (b % 32)) % 100;
        for i1 in 0..3 {
            let a = {
                y = tensor(5);
                x - (c % 34)
            };
            let v2 = loop {
                fuel -= 1;
                if fuel <= 0 {
                    break tensor(2);
                }
                x = x.clone();
                y -= (x % 33);
                x += i1;
            };
            if a >= x && y >= a {
                continue;
            }
            y = 0;
        }
        x = y + 5;
        return b / 7 + 0;
    }
    fn program_058(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = (b + 3) % 110;
        let mut y = x / 7 + 2;
        let mut b = if y >= x && c >= (a % 12) {
            let v1 = if c + (a % 39) <= x && x > 7 {
                let v2 = if { graph_print!("q3 {}", a); a > 2 } && { graph_print!("q4 {}", b); b > 8 } { 8 } else { x / 5 + 1 };
                b / 5 + 3
            } else {
                match x {
                    1..=3 if !(a > a) => {
                        let p5 = y >= a && b == (y % 39);
                        (x, y) = ((b + 2) % 120, (b % 32) * 1 - (b % 6));
                    }
                    1 | 3 => {
                        x += 2;
                    }
                    _ => {
                        x = a - 6;
                    }
                }
                -x - (a % 28)
            };
            (y % 36) * 1 - (a % 26)
        } else {
            x -= (b % 24);
            (y + (a % 29)) % 80
        };
        x = b - 3;
        if 7 < y && (x < 4 || x + (y % 28) <= c) { y } else { (y % 17) * (x % 22) - (x % 40) }
    }
    fn program_059(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = (a + (a % 22)) % 120;
        let mut y = tensor(-7);
        let mut c = (b + 1) % 120;
        loop {
            fuel -= 1;
            if fuel <= 0 {
                break;
            }
            y = (y % 16) * (y % 25);
            if y + 7 <= y && (y + (c % 35) <= a || c % 4 == 1) {
                break;
            }
            y /= 4;
        }
        let mut v1 = (b % 30) - c;
        if c <= (c % 11) { 0 } else { (b % 17) * 6 }
    }
    fn program_060(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = b.clone();
        let mut y = a.clone();
        if !(b >= c && b == 1) {
            let y = if b > (x % 28) || a <= 7 { b - (a % 38) } else { c + 3 };
            match x {
                -1 if x == (b % 3) || !(b > c) => {
                    x -= (x % 26);
                }
                _ => {
                    x = (y + 4) % 80;
                }
            }
        } else {
            let v2;
            if a < (a % 22) {
                x -= 7;
                v2 = c.clone();
            } else {
                y -= (x % 6);
                v2 = tensor(10);
            }
            y = 0;
        }
        y -= 7;
        x + y % 1000
    }
    fn program_061(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = (c % 10) - a;
        let mut y = c / 3 + (b % 22);
        match c % 4 {
            -3 => {
                y = a.clone();
            }
            _ => {
                loop {
                    fuel -= 1;
                    if fuel <= 0 {
                        break;
                    }
                    y = y - 2;
                    let (v1, mut v2) = (a.clone(), x.clone());
                    let mut c = x + 3;
                    if c >= a && (v1 < (v2 % 6) || a > (v2 % 32)) {
                        continue;
                    }
                    c -= (b % 30);
                }
            }
        }
        y -= (y % 3);
        x + y % 1000
    }
    fn program_062(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = -a - (a % 38);
        let mut y = (x % 26) * (x % 6) - (b % 9);
        'l1: while true {
            fuel -= 1;
            if fuel <= 0 {
                break;
            }
            'l2: while fuel > 0 && c % 2 == 0 {
                fuel -= 1;
                graph_print!("g3 {} {}", b, (c % 6) * 3);
                y = b - (a % 18);
                y += 4;
            }
            let v4 = if x % 4 == 1 { x } else { (b + (c % 10)) % 110 };
            y = 0;
        }
        y = (a + 1) % 110;
        return (x % 30) * 0 - (c % 4);
    }
    fn program_063(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = b.clone();
        let mut y = (c + 8) % 90;
        for e1 in [tensor(-3), x + 1] {
            y -= 2;
            let mut k2 = 0;
            while k2 < 3 {
                k2 += 1;
                let (v3, mut v4) = ((a % 27) * 1, x.clone());
                x += 2;
            }
            let v5 = loop {
                fuel -= 1;
                if fuel <= 0 {
                    break x.clone();
                }
                x -= (c % 14);
            };
        }
        x = y - 7;
        return y - 3;
    }
    fn program_064(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = 4i32 - c;
        let mut y = x + (a % 34);
        let mut y = loop {
            fuel -= 1;
            if fuel <= 0 {
                break a.clone();
            }
            for i1 in (0..2).rev() {
                y += (x % 36);
                let mut v2 = x + i1;
                let mut y = -x - 5;
            }
        };
        let mut v3 = if y >= x { x } else { x - 5 };
        x + y % 1000
    }
    fn program_065(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = -c - (b % 20);
        let mut y = a - 7;
        for i1 in (0..3).rev() {
            while fuel > 0 && a >= (x % 14) {
                fuel -= 1;
                let p2 = y != i1 && ({ graph_print!("q3 {}", x); x > 8 } || b + (x % 30) <= c);
                y -= 2;
            }
            let v4;
            if !(c != 7 && x < i1) {
                y -= (c % 21);
                v4 = c.clone();
            } else {
                x = b.clone();
                v4 = b.clone();
            }
        }
        y = 0;
        x + y % 1000
    }
}
