//! Literals between which a tensor chooses, where nothing says what type they have.

use graph_runtime::prelude::*;

three_ways! { branches_of_literals: f(int(1)), f(int(-1)), f(int(8));
    fn f(x: Int) -> Int {
        let n = if x > 0 { 3 } else { 4 };
        let sign = if x > 5 { 2 } else if x > 0 { 1 } else { -1 };
        let is_small = if x < 5 { true } else { false };
        let weight = if is_small { if x > 0 { 10 } else { 20 } } else { 30 };
        x * n + sign * weight + if x == 8 { 100 } else { 0 }
    }
}

three_ways! { arms_of_literals: f(int(0)), f(int(1)), f(int(7));
    fn f(x: Int) -> Int {
        let name = match x {
            0 => 10,
            1 | 2 => 20,
            _ => { 30 }
        };
        let by_guard = match x {
            n if n > 5 => 1,
            _ => 2,
        };
        name + by_guard
    }
}

three_ways! { floats: f(int(3));
    fn f(n: Int) -> Float {
        let mut sum = float(0.0);
        let mut i = int(0);
        while i < n {
            let weight = if i % 2 == 0 { 2.0 } else { 4.0 };
            sum += float(1.5) * weight;
            i += 1;
        }
        sum
    }
}

three_ways! { variables_without_a_value: f(int(1)), f(int(-3));
    fn f(x: Int) -> (Int, Int) {
        let typed: Int;
        let untyped;
        if x > 0 {
            typed = 1;
            untyped = 5;
        } else {
            typed = 2;
            untyped = 6;
        }
        (typed * x, untyped + x)
    }
}

three_ways! { a_branch_that_changes_variables_and_gives_a_literal: f(int(1)), f(int(-1));
    fn f(x: Int) -> (Int, Int) {
        let mut count = int(0);
        let spike = if x > 0 {
            count += 1;
            1
        } else {
            0
        };
        (spike * 7, count)
    }
}

agree! { literals_of_types_that_no_tensor_has: f(1), f(-1);
    fn f(x: i32) -> (u128, char, usize, i8) {
        let wide: u128 = if x > 0 { 1 } else { 2 };
        let i = if x > 0 { 1 } else { 0 };
        let item = ['a', 'b'][i];
        let shift = if x > 0 { 3 } else { 5 };
        (wide << shift, item, if x > 0 { 3 } else { 4 }, -(if x > 0 { 100 } else { 27 }))
    }
}

three_ways! { a_first_value_on_the_ways_that_go_on: f(int(-1), int(1)), f(int(-1), int(-1)), f(int(4), int(-1));
    fn f(a: Int, b: Int) -> Int {
        let r;
        if a < 0 {
            if b > 0 {
                return int(21);
            } else {
                return int(20);
            }
        } else {
            r = int(1);
        }
        let mut q;
        if a > 0 {
            q = int(1);
        } else {
            q = int(20);
            if b != 0 {
                q += 1;
            }
        }
        let k;
        match a {
            0 => return r,
            4 => k = q * 2,
            _ => {
                k = int(5);
            }
        }
        r + a + k
    }
}
