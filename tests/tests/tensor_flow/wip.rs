
three_ways! { a_break_value_that_is_a_literal: f(int(2)), f(int(20));
    fn f(n: Int) -> Int {
        let mut x = int(1);
        let r: Int = loop {
            x *= 2;
            if x > 8 {
                break 0;
            }
            if x > n {
                break x;
            }
        };
        r + 1
    }
}

three_ways! { a_rust_value_returns_from_a_tensor_loop: f(int(5), true), f(int(0), true), f(int(5), false);
    fn f(n: Int, once: bool) -> Int {
        let mut s = int(1);
        for i in 0..n {
            s += i + 10;
            if once {
                return s;
            }
        }
        -s
    }
}

three_ways! { guards_with_bindings: f(int(2)), f(int(50)), f(int(51));
    fn f(x: Int) -> Int {
        match x {
            n if n < 10 => n * 2,
            n if n % 2 == 0 => n * 3,
            n => n * 5,
        }
    }
}

three_ways! { mutable_parameters: call(int(3)), call(int(-3)), call(int(0));
    fn f(x: &mut Int, log: &mut Vec<Int>, total: &mut Int) -> Int {
        if *x > 0 {
            *x -= 1;
            log[0] += 10;
        } else {
            *total -= 100;
        }
        while *x > 0 {
            *total += x.clone();
            *x -= 1;
        }
        *total = *total * 2;
        log[1] = total.clone();
        x.clone() + 1
    }
    fn call(x: Int) -> Vec<Int> {
        let (mut x, mut total) = (x, int(7));
        let mut log = vec![int(0), int(0)];
        let first = f(&mut x, &mut log, &mut total);
        let second = f(&mut x, &mut log, &mut total);
        log.extend([first, second, x, total]);
        log
    }
}

three_ways! { tuples: f(int(3)), f(int(0));
    fn f(n: Int) -> (Int, (Int, Float)) {
        let mut state = (int(0), (int(1), float(0.5)));
        for i in 0..n {
            state.0 += i;
            state.1.0 *= 2;
            if state.0 > 0 {
                state.1 = (state.1.0, state.1.1 + 1.0);
            }
        }
        state
    }
}
