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
                let v3 = -b - 1;
            } else {
                y %= 18;
            }
        } else if y >= (a % 24) && b > (y % 39) {
            y = a.clone();
        }
        y = y.clone();
        return a - 1;
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
            let mut v2 = {
                y += 2;
                x - (c % 34)
            };
            let v3 = loop {
                fuel -= 1;
                if fuel <= 0 {
                    break tensor(2);
                }
                y = c.clone();
                y -= (a % 33);
                y += i1;
            };
            if a >= v2 && b >= a {
                continue;
            }
            v2 = 0;
        }
        x = y + 5;
        return b / 7 + 0;
    }
    fn program_058(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = (b + 3) % 110;
        let mut y = x / 7 + 2;
        let v2;
        if { graph_print!("q3 {}", b); b > 6 } && c >= (a % 12) {
            match a % 5 {
                -1 => {
                    if c % 2 == 1 {
                        y = b.clone();
                    } else if 2 < y {
                        (y, x) = (b.clone(), c / 5 + (c % 13));
                        y = -x - (y % 23);
                    }
                    y = x / 3 + 1;
                }
                _ => {
                    y = 0;
                }
            }
            v2 = (x + (c % 19)) % 70;
        } else {
            y -= 2;
            v2 = -c - 1;
        }
        x = (y % 32) - y;
        if x > (y % 28) { c + 0 } else { -y - 5 }
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
                    let v3 = x + 3;
                    if !(b > (a % 33) && c < (x % 23)) {
                        continue;
                    }
                    y += 2;
                }
                return a.clone();
            }
        }
        x = b + 3;
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
        let v2;
        if a < 7 && (b > (a % 26) || x >= (x % 24)) {
            if !(x < 3 && a < 5) {
                y /= 28;
                return 8;
            }
            v2 = (a % 16) * (x % 7) - (b % 17);
        } else {
            'l3: for i4 in (0..c % 5).rev() {
                let (v5, mut v6) = (a - (x % 7), (y % 19) - y);
                if i4 % 5 == 2 {
                    break 'l3;
                }
                x = 2i32 - c;
            }
            v2 = x.clone();
        }
        while fuel > 0 && y >= b && a != (c % 2) {
            fuel -= 1;
            x = c.clone();
        }
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
