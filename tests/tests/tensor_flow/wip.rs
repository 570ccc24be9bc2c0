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

three_ways! { guards_with_bindings: f(int(2)), f(int(50)), f(int(51));
    fn f(x: Int) -> Int {
        match x {
            n if n < 10 => n * 2,
            n if n % 2 == 0 => n * 3,
            n => n * 5,
        }
    }
}

three_ways! { nested_containers: f(int(2));
    fn f(n: Int) -> Vec<(Int, Vec<Int>)> {
        let mut state = vec![(int(0), vec![int(1)]), (int(5), vec![int(2), int(3)])];
        for i in 0..n {
            state[0].0 += 1;
            state[1].1[0] *= 3;
            if i > 0 {
                let (head, tail) = &mut state[1];
                *head -= 1;
                tail[1] += head.clone();
            }
        }
        state
    }
}

three_ways! { boxes: f(int(2)), f(int(-2));
    fn f(x: Int) -> Int {
        let mut b = Box::new(x);
        if *b > 0 {
            *b += 1;
        } else {
            b = Box::new(int(9));
        }
        *b * 10
    }
}
