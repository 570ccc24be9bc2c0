//! `break`, `continue` and `return` out of one construct: from `while`, `loop` and `for`, in one or several places,
//! decided by tensors or by Rust values.

three_ways! { break_in_a_while: f(int(0)), f(int(3)), f(int(100));
    fn f(n: Int) -> Int {
        let mut s = int(0);
        let mut i = int(0);
        while i < n {
            if s > 20 {
                break;
            }
            s += i;
            i += 1;
        }
        s * 100 + i
    }
}

three_ways! { continue_in_a_while: f(int(0)), f(int(10));
    fn f(n: Int) -> Int {
        let mut s = int(0);
        let mut i = int(0);
        while i < n {
            i += 1;
            if i % 3 == 0 {
                continue;
            }
            s += i;
        }
        s
    }
}

three_ways! { continue_in_a_later_one_of_the_iterations_that_rust_runs: f(int(0)), f(int(5));
    fn f(x: Int) -> Int {
        let mut s = int(0);
        for k in [1, 2, 3] {
            s += 1;
            if k == 2 {
                if x > 0 {
                    continue;
                }
            }
            s += 10 * k;
        }
        s
    }
}

three_ways! { break_and_continue_in_a_while: f(int(4)), f(int(40));
    fn f(n: Int) -> (Int, Int) {
        let mut even = int(0);
        let mut i = int(0);
        while i < n {
            i += 1;
            if i % 2 == 1 {
                continue;
            }
            if even > 30 {
                break;
            }
            even += i;
        }
        (even, i)
    }
}

three_ways! { two_breaks_in_a_loop: f(int(5), int(100)), f(int(50), int(3)), f(int(1), int(0));
    fn f(a: Int, b: Int) -> (Int, Int) {
        let mut x = int(1);
        let mut turns = int(0);
        loop {
            if x > a {
                break;
            }
            x *= 2;
            turns += 1;
            if turns > b {
                x = -x;
                break;
            }
            x += 1;
        }
        (x, turns)
    }
}

three_ways! { break_with_values_from_two_places: f(int(5), int(100)), f(int(50), int(3));
    fn f(a: Int, b: Int) -> Int {
        let mut x = int(1);
        let mut turns = int(0);
        let found = loop {
            turns += 1;
            if x > a {
                break x.clone();
            }
            if turns > b {
                break -turns.clone();
            }
            x *= 3;
        };
        found * 10 + turns
    }
}

three_ways! { while_true: f(int(0)), f(int(17));
    #[allow(while_true)]
    fn f(n: Int) -> Int {
        let mut i = int(0);
        while true {
            if i * i >= n {
                break;
            }
            i += 1;
        }
        i
    }
}

three_ways! { return_in_a_while: f(int(7)), f(int(100)), f(int(0));
    fn f(n: Int) -> Int {
        let mut i = int(0);
        while i < n {
            i += 1;
            if i * i > 30 {
                return i * 1000;
            }
        }
        i
    }
}

three_ways! { return_in_a_for: f(ints(&[1, 5, 9, 2])), f(ints(&[1, 2])), f(ints(&[]));
    fn f(items: Ints) -> Int {
        let mut s = int(0);
        for item in items {
            if item > 8 {
                return item * 100 + s;
            }
            s += item;
        }
        -s
    }
}

three_ways! { return_in_a_loop: f(int(3)), f(int(1000));
    fn f(n: Int) -> (Int, Int) {
        let mut a = int(0);
        let mut b = int(1);
        loop {
            if b > n {
                return (a, b);
            }
            (a, b) = (b.clone(), a + b);
        }
    }
}

three_ways! { return_break_and_continue_together: f(int(1)), f(int(10)), f(int(30)), f(int(60));
    fn f(n: Int) -> Int {
        let mut s = int(0);
        for i in 0..n {
            if i % 4 == 1 {
                continue;
            }
            if s > 300 {
                return -s;
            }
            if i == 20 {
                break;
            }
            s += i;
        }
        s += 1000;
        s
    }
}

three_ways! { early_returns_in_a_row: f(int(-5)), f(int(0)), f(int(5)), f(int(50));
    fn f(x: Int) -> Int {
        if x < 0 {
            return -1;
        }
        let y = x * 2;
        if y == 0 {
            return 0;
        }
        let z = y + 1;
        if z > 50 {
            return z;
        }
        y + z
    }
}

three_ways! { returned_from_every_branch: f(int(5)), f(int(-5)), f(int(0));
    fn f(x: Int) -> Int {
        if x > 0 {
            return x * 2;
        } else if x < 0 {
            return x * 3;
        } else {
            return 7;
        }
    }
}

three_ways! { returned_in_one_branch_after_changes: f(int(5)), f(int(-5)), f(int(1));
    fn f(x: Int) -> Int {
        let mut y = int(1);
        if x > 0 {
            y += x;
            if y > 3 {
                return y * 100;
            }
            y += 1000;
        } else {
            y -= x;
        }
        y + 5
    }
}

three_ways! { a_tensor_breaks_a_rust_loop: f(int(0)), f(int(6)), f(int(600));
    fn f(limit: Int) -> (Int, Int) {
        let mut s = int(0);
        let mut turns = int(0);
        for i in 0..6 {
            if s > limit {
                break;
            }
            s += i * 2;
            turns += 1;
        }
        (s, turns)
    }
}

three_ways! { a_tensor_continues_a_rust_loop: f(int(2)), f(int(10));
    fn f(skip: Int) -> Int {
        let mut s = int(0);
        for i in [5, 2, 7, 2] {
            if skip == i {
                continue;
            }
            s = s * 10 + i;
        }
        s
    }
}

three_ways! { a_tensor_returns_from_a_rust_loop: f(int(4)), f(int(9)), f(int(100));
    fn f(x: Int) -> Int {
        let mut square = int(0);
        for i in 0..5 {
            square = int(i * i);
            if square == x {
                return i.into();
            }
        }
        square
    }
}

three_ways! { a_rust_value_breaks_a_tensor_loop: f(int(5), true), f(int(5), false);
    fn f(n: Int, once: bool) -> Int {
        let mut s = int(0);
        let mut i = int(0);
        while i < n {
            i += 1;
            s += i;
            if once {
                break;
            }
        }
        s
    }
}

three_ways! { a_rust_value_continues_a_tensor_loop: f(int(5), true), f(int(5), false);
    fn f(n: Int, skips: bool) -> Int {
        let mut s = int(0);
        for i in 0..n {
            s += i;
            if skips {
                continue;
            }
            s *= 2;
        }
        s
    }
}

three_ways! { a_tensor_and_a_rust_condition_break_together: f(int(5), 2), f(int(50), 2), f(int(5), 100);
    fn f(n: Int, at_most: usize) -> Int {
        let mut s = int(0);
        for (turn, x) in [3, 4, 5, 6].into_iter().enumerate() {
            if s > n || turn > at_most {
                break;
            }
            s += x;
        }
        s
    }
}

three_ways! { statements_behind_a_leaving_if_run_only_where_it_is_not_left: f(int(1)), f(int(2)), f(int(3));
    fn f(x: Int) -> (Int, Int) {
        let mut a = int(0);
        let mut b = int(0);
        for i in 0..5 {
            a += 1;
            if x == 1 {
                continue;
            } else {
                b += 1;
            }
            if x == 2 {
                break;
            }
            a += i * 10;
            b += 100;
        }
        (a, b)
    }
}

three_ways! { a_label_on_a_single_loop: f(int(9));
    fn f(n: Int) -> Int {
        let mut s = int(0);
        'only: for i in 0..n {
            if i == 2 {
                continue 'only;
            }
            if i == 6 {
                break 'only;
            }
            s += i;
        }
        s
    }
}

three_ways! { a_labelled_block_left_in_the_middle: f(int(-1)), f(int(1)), f(int(100));
    fn f(x: Int) -> Int {
        let mut y = x.clone();
        'work: {
            if x < 0 {
                break 'work;
            }
            y += 10;
            if y > 50 {
                break 'work;
            }
            y *= 2;
        }
        y + 1
    }
}

three_ways! { a_labelled_block_with_values: f(int(-1)), f(int(1)), f(int(100));
    fn f(x: Int) -> Int {
        let r = 'value: {
            if x < 0 {
                break 'value int(0);
            }
            let y = x + 10;
            if y > 50 {
                break 'value y;
            }
            y * 2
        };
        r + 1
    }
}

three_ways! { a_question_mark_before_tensor_flow: f(Some(int(4))), f(Some(int(-4))), f(None);
    fn f(x: Option<Int>) -> Option<Int> {
        let mut x = x?;
        while x > 0 {
            x -= 3;
        }
        Some(x)
    }
}

three_ways! { nothing_left_to_do: f(int(3)), f(int(-3));
    fn f(x: Int) -> Int {
        if x > 0 {}
        while x < -10 {}
        for _ in 0..x.clone() {}
        loop {
            break;
        }
        x
    }
}

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

mod across_a_helper {
    use crate::support::{eagerly, traced};
    use graph_runtime::prelude::*;

    /// It has no trace type, so the helper is traced through.
    struct Opaque(#[allow(dead_code, reason = "only its size matters")] std::cell::Cell<u8>);

    #[graph_fn]
    fn helper(_opaque: &Opaque, x: Tensor<i32>) -> Result<Tensor<i32>, String> {
        match x.shape().rank() {
            Some(0) => Err("a scalar".to_owned()),
            _ => Ok(x),
        }
    }

    #[graph_fn]
    fn outer(x: Tensor<i32>) -> Result<Vec<Tensor<i32>>, graph_runtime::Error> {
        if x > 0 {
            return Ok(vec![x.clone()]);
        }
        let _ = helper(&Opaque(std::cell::Cell::new(0)), x.clone());
        Ok(vec![x.clone(), x.clone()])
    }

    #[test]
    fn an_err_of_a_helper_leaves_the_returns_around_it_alone() {
        let run = || outer(tensor(1));
        let error = traced(run).unwrap_err();
        assert!(
            error
                .message()
                .starts_with("the function returns values of different structure"),
            "{error}"
        );
        // Eagerly only one of the returns runs.
        assert_eq!(eagerly(run).unwrap().len(), 1);
    }
}

three_ways! { a_return_in_the_condition_of_a_while: f(int(10)), f(int(3)), f(int(-1));
    fn f(mut x: Int) -> Int {
        while x > { if x == 7 { return x * 100 } else { int(0) } } {
            x -= 1;
        }
        x
    }
}
