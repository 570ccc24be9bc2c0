//! The 25 programs that `#[cube]` rejects, in the order in which they were found; each name contains its number.

three_ways! { p01_early_return: f(float(1.5)), f(float(-1.5));
    fn f(x: Float) -> Float {
        if x > 0.0 {
            return x;
        }
        x * 2.0
    }
}

three_ways! { p02_return_in_a_unit_function: call(3), call(-3);
    fn f(x: Int, out: &mut Int) {
        if x > 0 {
            *out = x;
            return;
        }
        *out += 10;
    }
    fn call(x: i32) -> Int {
        let mut out = int(1);
        f(int(x), &mut out);
        out
    }
}

three_ways! { p03_continue: f(int(0)), f(int(1)), f(int(10));
    fn f(n: Int) -> Int {
        let mut s = int(0);
        for i in 0..n {
            if i % 2 == 0 {
                continue;
            }
            s += i;
        }
        s
    }
}

three_ways! { p04_a_loop_with_a_value: f(int(0)), f(int(9));
    fn f(n: Int) -> Int {
        let mut i = int(0);
        let r = loop {
            i += 1;
            if i > n {
                break i * 2;
            }
        };
        r
    }
}

three_ways! { p05_an_arm_that_leaves: f(int(5)), f(int(50));
    fn f(n: Int) -> Int {
        let mut s = int(0);
        for i in 0..n {
            let y = if i > 10 { break } else { i };
            s += y;
        }
        s
    }
}

three_ways! { p06_a_pattern_in_a_for: f(vec![]), f(vec![(int(1), int(2)), (int(30), int(4))]);
    fn f(pairs: Vec<(Int, Int)>) -> Int {
        let mut s = int(0);
        for (a, b) in pairs {
            if a > b {
                s += a;
            } else {
                s += b * 100;
            }
        }
        s
    }
}

three_ways! { p07_while_let: f(vec![int(1), int(5), int(7)]), f(vec![]);
    fn f(mut stack: Vec<Int>) -> Int {
        let mut s = int(0);
        while let Some(x) = stack.pop() {
            if x > 4 {
                s += x;
            }
        }
        s
    }
}

three_ways! { p08_match_ranges_and_alternatives:
    f(int(-1)), f(int(0)), f(int(3)), f(int(4)), f(int(5)), f(int(6));
    fn f(x: Int) -> Int {
        match x {
            0..=3 => int(10),
            4 | 5 => x * 100,
            _ => -x,
        }
    }
}

three_ways! { p10_a_binding_arm: f(int(0)), f(int(21));
    fn f(x: Int) -> Int {
        match x {
            0 => int(1),
            n => n * 2,
        }
    }
}

three_ways! { p12_match_on_a_condition: f(float(1.0)), f(float(0.0));
    fn f(x: Float) -> Float {
        match x > 0.0 {
            true => x + 1.0,
            false => x - 1.0,
        }
    }
}

three_ways! { p13_let_else: f(Some(int(5))), f(Some(int(-5))), f(None);
    fn f(o: Option<Int>) -> Int {
        let Some(x) = o else {
            return int(0);
        };
        if x > 0 {
            return x * 2;
        }
        x
    }
}

three_ways! { p14_a_let_chain: f(Some(int(5)), int(2)), f(Some(int(5)), int(1)), f(None, int(2));
    fn f(o: Option<Int>, y: Int) -> Int {
        let mut r = int(-1);
        if let Some(x) = o && y > 1 {
            r = x + y;
        }
        r
    }
}

three_ways! { p15_a_question_mark: f(Some(int(5))), f(Some(int(-5))), f(None);
    fn f(o: Option<Int>) -> Option<Int> {
        let x = o?;
        let y = if x > 0 { x * 2 } else { x };
        Some(y + 1)
    }
}

three_ways! { p17_a_plain_helper: f(float(2.0)), f(float(-2.0));
    fn f(x: Float) -> Float {
        if x < 0.0 { helper(x) } else { helper(x + 1.0) }
    }
    fn helper(x: Float) -> Float {
        x * 2.0 + 0.5
    }
}

three_ways! { p18_a_nested_function: f(float(3.0)), f(float(-3.0));
    fn f(x: Float) -> Float {
        fn sq(y: Float) -> Float {
            if y < 0.0 {
                return y;
            }
            y * y
        }
        sq(x)
    }
}

three_ways! { p19_a_local_closure: f(float(3.0)), f(float(-3.0));
    fn f(x: Float) -> Float {
        let g = |y: f32| x * y;
        if x > 0.0 { g(2.0) } else { g(-1.0) + g(4.0) }
    }
}

three_ways! { p20_a_function_as_an_argument: f(float(3.0), |x| x * 2.0), f(float(-3.0), |x| x + 0.5);
    fn f(x: Float, g: impl Fn(Float) -> Float) -> Float {
        if x > 0.0 { g(x) } else { g(g(x)) }
    }
}

three_ways! { p22_arrays_vectors_and_iterators: f(int(3), int(4)), f(int(4), int(3));
    fn f(x: Int, y: Int) -> Int {
        let a = [x, y];
        let mut v = Vec::new();
        for item in a.iter() {
            if *item > 3 {
                v.push(item * 10);
            } else {
                v.push(item * 1);
            }
        }
        let mut s = &a[0] * 1000;
        for item in v.iter() {
            s += item;
        }
        s
    }
}

three_ways! { p23_ranges_backwards_and_in_steps: f(int(0)), f(int(1)), f(int(7));
    fn f(n: Int) -> Int {
        let mut s = int(0);
        for i in (0..n).rev() {
            s = s * 2 + i;
        }
        for i in (0..n).step_by(2) {
            s = s * 3 + i;
        }
        for i in (1..=n).rev().step_by(3) {
            s = s * 5 + i;
        }
        s
    }
}

three_ways! { p24_swapped_in_memory: f(int(3), int(4)), f(int(4), int(3));
    fn f(mut x: Int, mut y: Int) -> Int {
        if x < y {
            core::mem::swap(&mut x, &mut y);
        }
        x * 10 + y
    }
}

three_ways! { p25_a_constant_condition_with_a_literal_arm: f(int(7)), f(int(-7));
    fn f(x: Int) -> Int {
        let y = if true { x } else { 0 };
        y + 1
    }
}

three_ways! { p11_match_on_two_conditions: f(int(2), int(2)), f(int(2), int(0)), f(int(0), int(2)), f(int(0), int(0));
    fn f(a: Int, b: Int) -> Int {
        match (a > 1, b > 1) {
            (true, true) => a * b,
            (true, false) => int(10),
            (false, true) => int(1),
            (false, false) => int(0),
        }
    }
}

three_ways! { p16_initialized_by_the_branches: f(int(4), int(1)), f(int(4), int(-1));
    fn f(x: Int, c: Int) -> Int {
        let y;
        if c > 0 {
            y = x;
        } else {
            y = -x;
        }
        y * 10
    }
}

three_ways! { p09_match_guards: f(int(2)), f(int(3)), f(int(4));
    fn f(x: Int) -> Int {
        match x {
            n if n > 3 => n * 10,
            n => n - 1,
        }
    }
}

three_ways! { p21_macros_in_the_body: f(float(0.5), 3), f(float(5.0), 9);
    fn f(x: Float, n: i32) -> Float {
        macro_rules! doubled {
            ($e:expr) => {
                $e * 2.0
            };
        }
        println!("{x} {n}");
        let y = if matches!(n, 1..=5) { x * 10.0 } else { x };
        if y > 4.0 { doubled!(y) } else { y }
    }
}
