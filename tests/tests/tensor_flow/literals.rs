//! Choices between literals by a tensor, where no type is written.

use graph_runtime::prelude::*;

use crate::support::each_way;

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

/// If a tensor chooses between texts, they become tensors; if Rust chooses, they stay texts.
#[test]
fn texts() {
    #[graph_fn]
    fn grade(score: Tensor<i32>) -> Tensor<String> {
        let grade = if score >= 90 {
            "A"
        } else if score >= 80 {
            "B"
        } else {
            "C"
        };
        let sign = match score % 10 {
            0 | 1 => "-",
            8..=9 => "+",
            _ => "",
        };
        "grade " + (grade + sign)
    }
    #[graph_fn]
    fn lengths(strict: bool, x: Tensor<i32>) -> Tensor<i32> {
        let word = if strict { "strictly" } else { "leniently" };
        let end = match word.len() {
            8 => "!",
            _ => "",
        };
        x + (word.to_owned() + end).len() as i32
    }
    each_way(|| {
        assert_eq!(grade(tensor(95)).item(), "grade A");
        assert_eq!(grade(tensor(80)).item(), "grade B-");
        assert_eq!(grade(tensor(79)).item(), "grade C+");
        assert_eq!(lengths(true, tensor(1)).item(), 10);
        assert_eq!(lengths(false, tensor(1)).item(), 10);
    });
}

/// In generic code a number is converted to the element type like any tensor: by `cast`.
#[test]
fn numbers_of_a_type_that_is_a_parameter() {
    #[graph_fn]
    fn f<T: Number>(x: Tensor<T>) -> Tensor<T> {
        let two = tensor(2).cast::<T>();
        if x > tensor(1).cast() {
            x * two
        } else {
            two - x
        }
    }
    each_way(|| {
        assert_eq!(f(tensor(5)).item(), 10);
        assert_eq!(f(tensor(0.5)).item(), 1.5);
        assert_eq!(f(tensor(1u8)).item(), 1);
    });
}
