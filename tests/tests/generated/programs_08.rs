//! Random programs, written by `cargo run -p graph-tests --bin generate_programs`: change that, not this.

super::programs! {
    fn program_111(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = c + 0;
        let mut y = tensor(6);
        let (v1, mut v2) = ((c % 17) * 3, tensor(0));
        let v4;
        if 6 < v2 {
            let p5 = x <= 1 && v1 > 1;
            v4 = tensor(7);
        } else {
            'l6: while fuel > 0 && y < 4 {
                fuel -= 1;
                for i7 in 0..y % 3 {
                    y = v1 - 2;
                    if y <= 8 {
                        continue 'l6;
                    }
                    x += 2;
                }
                v2 -= 7;
            }
            v4 = x.clone();
        }
        x += 6;
        x + y % 1000
    }
    fn program_112(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = c.clone();
        let mut y = (c % 3) * (c % 14) - (a % 7);
        let x = match a % 7 {
            4..=6 => (y % 23) * 1,
            -1 => -x - 3,
            -4..3 if { graph_print!("q1 {}", b); b > 0 } && { graph_print!("q2 {}", c); c > 4 } => return x.clone(),
            n if n > 6 => n - 6,
            n => n + 1,
        };
        let mut v3 = {
            while fuel > 0 && c > (x % 27) {
                fuel -= 1;
                y = (c % 8) - b;
                if b == 4 && (c + (y % 7) <= c || !(a > y)) {
                    return b.clone();
                }
                y = b / 5 + 7;
            }
            a / 4 + 2
        };
        return (b + 3) % 70;
    }
    fn program_113(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = tensor(6);
        let mut y = a.clone();
        y = 5i32 - c;
        if { graph_print!("q1 {}", c); c > 5 } || !(c > b) {
            while fuel > 0 && a < 1 && a <= (a % 34) {
                fuel -= 1;
                x = (x % 12) * 4 - (x % 36);
                x += 7;
                let v2 = x - 3;
            }
            x %= 19;
        } else if c >= (a % 5) || x != 4 {
            y /= 3;
        } else {
            x = x.clone();
        }
        x
    }
    fn program_114(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = c / 2 + 4;
        let mut y = c + 1;
        while fuel > 0 && (c % 4 == 1 || x >= c) {
            fuel -= 1;
            let v1 = if y % 5 == 2 {
                (x, y) = (b.clone(), (c % 18) * 9);
                -b - (a % 32)
            } else {
                x %= 12;
                c / 6 + 0
            };
            let p2 = y % 4 == 0;
            if x % 4 == 1 && v1 % 4 == 0 {
                continue;
            }
            x = a - 7;
        }
        let mut v3 = if c % 4 == 1 { b } else { (c % 13) - y };
        x + y % 1000
    }
    fn program_115(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = a - 3;
        let mut y = (b % 18) - c;
        for e1 in [(b % 28) * (y % 40) - (a % 24), tensor(8)] {
            let h3 = |v4: Int| if v4 > 7 { v4 - 7 } else { c + (x % 37) };
            let v2 = h3(-c - 0);
            while fuel > 0 && a != (a % 30) {
                fuel -= 1;
                let v5 = {
                    graph_print!("g6 {} {}", b, (b % 15) * 3);
                    (a % 7) * 4
                };
            }
            if e1 % 3 == 2 && e1 % 5 == 2 {
                continue;
            }
            x = (a % 31) * 1;
        }
        match a {
            4..=6 if !(a > y) || a >= (x % 3) => {
                y -= 1;
            }
            3..=5 => {
                y = y + (c % 25);
            }
            _ => {
                x = tensor(-1);
            }
        }
        y = 0;
        return -x - (b % 16);
    }
    fn program_116(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = (a % 5) * 1 - (c % 13);
        let mut y = x / 6 + (c % 36);
        match y % 7 {
            -3..2 => {
                if b + 2 <= a && !(x > a) {
                    let p1 = a % 3 == 1;
                    x -= 8;
                    return (a + 4) % 110;
                } else if b != 2 {
                    x /= 18;
                }
                if y >= b && b + 3 <= a {
                    y = tensor(-6);
                    return b + 2;
                }
            }
            -1..0 if x >= a => {
                y = 7i32 - a;
            }
            _ => {
                y = x.clone();
            }
        }
        x -= (a % 2);
        x + y % 1000
    }
    fn program_117(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = c - (b % 32);
        let mut y = a - 3;
        for i1 in 0..y % 3 {
            let v2 = if !(x > 2 && b >= y) { -8 } else { (a % 31) * 4 - (a % 3) };
            'l3: while true {
                fuel -= 1;
                if fuel <= 0 {
                    break;
                }
                if { graph_print!("q4 {}", x); x > 1 } && (!(a > a) || i1 < 1) {
                    let p5 = i1 % 5 == 1;
                    graph_print!("g6 {} {}", y, b - (v2 % 19));
                } else if !(b < 3 && !(c > x)) {
                    x = (y % 18) * 8;
                }
                y += 2;
            }
            if 7 < c {
                continue;
            }
            y %= 24;
        }
        y = tensor(1);
        return -y - 1;
    }
    fn program_118(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = c + 9;
        let mut y = (c % 27) - c;
        'l1: while true {
            fuel -= 1;
            if fuel <= 0 {
                break;
            }
            for i2 in 0..2 {
                x = tensor(7);
                (x, y) = (a + 8, 2i32 - x);
                y -= (b % 25);
            }
            x -= (y % 28);
            x = c / 4 + 2;
        }
        y -= 2;
        x + y % 1000
    }
    fn program_119(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = b.clone();
        let mut y = -x - 9;
        while fuel > 0 && b + (y % 20) <= b {
            fuel -= 1;
            let (v1, mut v2) = ((x + (c % 23)) % 80, tensor(8));
        }
        for e3 in [tensor(-4), (x % 41) * 8] {
            let mut v4 = {
                let mut k5 = 0;
                while k5 < 1 {
                    k5 += 1;
                    let v6 = 2i32 - e3;
                    y = (x % 9) - b;
                }
                (e3 + (x % 31)) % 80
            };
            x = (y % 37) * 1 - (c % 19);
        }
        y -= 7;
        return (a % 34) - b;
    }
    fn program_120(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = a / 7 + (b % 10);
        let mut y = (a + (b % 32)) % 80;
        let v1 = (a + (c % 21)) % 100;
        x = 0;
        let mut v2 = loop {
            fuel -= 1;
            if fuel <= 0 {
                break (x % 8) * 2;
            }
            if c >= 3 {
                return 6;
            }
            let mut v1 = 'l3: {
                if a >= (x % 18) {
                    break 'l3 y.clone();
                }
                graph_print!("g4 {y}");
                c - 2
            };
            v1 -= 6;
        };
        y = v2 + (x % 12);
        if 3 < v2 { a } else { 3i32 - v1 }
    }
    fn program_121(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = a + (a % 18);
        let mut y = (x % 8) - x;
        'l1: for i2 in 0..a % 2 {
            y = y.clone();
        }
        if x == 4 {
            return b - 5;
        }
        let mut k3 = 0;
        while k3 < 1 {
            k3 += 1;
            if x >= y && (b >= a || x >= (c % 29)) {
                let a = if b <= 8 || c >= 6 {
                    x = b.clone();
                    b - (x % 21)
                } else {
                    y = -y - (x % 33);
                    a + 6
                };
                x = 0;
            } else {
                y += 5;
            }
        }
        x + y % 1000
    }
    fn program_122(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = c.clone();
        let mut y = (b % 17) * (b % 26) - (b % 40);
        graph_print!("g1 {} {}", b, (c % 17) * 2);
        match b % 5 {
            4..=6 => {
                let mut k2 = 0;
                while k2 < 2 {
                    k2 += 1;
                    'l3: while fuel > 0 && y > 4 && y % 2 == 0 {
                        fuel -= 1;
                        graph_print!("g4 {c}");
                    }
                }
                let mut k5 = 0;
                while k5 < 1 {
                    k5 += 1;
                    x %= 18;
                }
                return 4;
            }
            _ => {
                x = -c - 3;
            }
        }
        y %= 25;
        y
    }
    fn program_123(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = a + 3;
        let mut y = 6i32 - b;
        let v1 = loop {
            fuel -= 1;
            if fuel <= 0 {
                break a + 4;
            }
            let v3;
            if y >= y {
                let mut k4 = 0;
                while k4 < 2 {
                    k4 += 1;
                    x -= 3;
                    (y, x) = (a.clone(), (y % 17) * 4 - (x % 35));
                }
                v3 = (c + (b % 20)) % 100;
            } else {
                for e5 in [(y % 26) * (y % 40) - (c % 18), b.clone()] {
                    x = (x % 30) * 7;
                }
                v3 = (b % 23) - a;
            }
            y = (c % 24) - c;
            if y + (a % 7) <= a && !(v3 > c) {
                continue;
            }
            y += 1;
        };
        x = c.clone();
        x + y % 1000
    }
    fn program_124(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = tensor(6);
        let mut y = x.clone();
        y = (a + (b % 3)) % 70;
        let v1 = 'l2: {
            if !(x > x) {
                break 'l2 y.clone();
            }
            loop {
                fuel -= 1;
                if fuel <= 0 {
                    break;
                }
                match x % 6 {
                    -2..1 if { graph_print!("q3 {}", a); a > 0 } => {
                        (y, x) = (x + 6, (y + 3) % 70);
                    }
                    _ => {
                        let p4 = y % 5 == 1;
                        x = 0;
                    }
                }
            }
            c - 3
        };
        x = b / 2 + 8;
        b
    }
    fn program_125(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = tensor(-8);
        let mut y = tensor(4);
        match y % 7 {
            -2 => {
                if y > 7 {
                    let v1 = if !(5 < x && x % 2 == 1) { -c - (b % 30) } else { b - (c % 25) };
                    loop {
                        fuel -= 1;
                        if fuel <= 0 {
                            break;
                        }
                        (x, y) = (7i32 - x, (c % 33) - x);
                        if v1 % 2 == 2 || a >= y {
                            return (c % 27) - v1;
                        }
                        x = (a + (y % 17)) % 110;
                    }
                } else if a >= x && (b >= c || a > (y % 36)) {
                    while fuel > 0 && ({ graph_print!("q2 {}", c); c > 0 } || y != 1) {
                        fuel -= 1;
                        y = a.clone();
                    }
                } else {
                    y -= (a % 31);
                }
                x += 1;
            }
            4..=6 => {
                y = 0;
            }
            _ => {
                y = b / 4 + (a % 11);
            }
        }
        x -= 3;
        x + y % 1000
    }
    fn program_126(a, b, c) {
        let mut fuel = tensor(24);
        let mut x = tensor(7);
        let mut y = b.clone();
        for i1 in 1..=3 {
            loop {
                fuel -= 1;
                if fuel <= 0 {
                    break;
                }
                x = 0;
                let (v2, mut v3) = (x.clone(), tensor(-5));
            }
            if { graph_print!("q4 {}", c); c > 4 } && (b >= y || i1 != 1) {
                return tensor(-9);
            }
            x -= i1;
        }
        'l5: for i6 in (a % 3..a % 3 + 4).step_by(2) {
            for e7 in [c - 4, (b % 27) * 6] {
                x = 0;
            }
            y /= 6;
            if !(a > a) {
                break 'l5;
            }
            x += 0;
        }
        x += (a % 11);
        x + y % 1000
    }
}
