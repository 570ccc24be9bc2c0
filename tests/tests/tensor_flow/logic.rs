//! Conditions: `&&`, `||`, `!`, comparisons of all kinds, Rust and tensor conditions mixed, branches as values.

use graph_runtime::prelude::*;

three_ways! { joined_conditions: f(int(1), int(1)), f(int(1), int(5)), f(int(5), int(1)), f(int(5), int(5));
    fn f(a: Int, b: Int) -> Int {
        let mut r = int(0);
        if a > 2 && b > 2 {
            r += 1;
        }
        if a > 2 || b > 2 {
            r += 10;
        }
        if !(a > 2) && !(b > 2) || a == b {
            r += 100;
        }
        if a != b && (a > b || !(b > 2 && a > 0)) {
            r += 1000;
        }
        r
    }
}

three_ways! { conditions_kept_in_variables: f(int(1)), f(int(5));
    fn f(a: Int) -> (Int, Truth) {
        let big = a > 2;
        let odd = a % 2 == 1;
        let both = big.clone() && odd;
        let r = if both { a * 2 } else { a };
        (r, !big)
    }
}

three_ways! { rust_conditions_among_tensor_conditions: f(int(1), true), f(int(5), true), f(int(1), false), f(int(5), false);
    fn f(a: Int, flag: bool) -> Int {
        let mut r = int(0);
        if flag && a > 2 {
            r += 1;
        }
        if a > 2 || flag {
            r += 10;
        }
        if flag {
            r += 100;
        } else if a > 2 {
            r += 1000;
        } else {
            r += 10_000;
        }
        if a > 2 {
            if flag {
                r = -r;
            }
        } else if !flag {
            r *= 2;
        }
        r
    }
}

three_ways! { literals_on_the_left: f(int(3)), f(int(4));
    fn f(x: Int) -> Int {
        if 3 < x {
            10 - x
        } else if 3 == x && 2 * x >= 6 {
            100 / x
        } else {
            -x
        }
    }
}

three_ways! { all_six_comparisons: f(int(1), int(2)), f(int(2), int(2)), f(int(3), int(2));
    fn f(a: Int, b: Int) -> Int {
        let mut r = int(0);
        if a < b {
            r += 1;
        }
        if a <= b {
            r += 10;
        }
        if a > b {
            r += 100;
        }
        if a >= b {
            r += 1000;
        }
        if a == b {
            r += 10_000;
        }
        if a != b {
            r += 100_000;
        }
        r
    }
}

three_ways! { comparisons_of_calculated_sides: f(float(0.5), float(2.0)), f(float(-1.0), float(3.0));
    fn f(x: Float, y: Float) -> Truth {
        x * y + 1.0 > y - x && (x - y) * (x - y) < 4.0 || -x == 1.0
    }
}

three_ways! { not_a_number: f(float(f32::NAN)), f(float(1.0));
    fn f(x: Float) -> Int {
        let mut r = int(0);
        if x == x {
            r += 1;
        }
        if x < 2.0 {
            r += 10;
        }
        if !(x >= 2.0) {
            r += 100;
        }
        if x != x {
            r += 1000;
        }
        r
    }
}

three_ways! { truths_compared: f(truth(true), truth(false)), f(truth(true), truth(true)), f(truth(false), truth(false));
    fn f(a: Truth, b: Truth) -> Int {
        if a == b {
            if a { int(1) } else { int(2) }
        } else if a != true {
            int(3)
        } else {
            int(4)
        }
    }
}

three_ways! { branches_as_values: f(int(-7)), f(int(0)), f(int(7));
    fn f(x: Int) -> Int {
        let sign = if x > 0 { 1 } else if x < 0 { int(-1) } else { 0 };
        let size = if x * x > 10 { int(100) } else { x * 1 };
        sign * 1000 + size + if sign == 0 { 5 } else { int(6) }
    }
}

three_ways! { a_branch_as_an_argument_an_operand_and_a_tail: f(int(2)), f(int(-2));
    fn f(x: Int) -> Int {
        let doubled = add(if x > 0 { x.clone() } else { -x.clone() }, x.clone());
        let t = (if doubled > 1 { doubled.clone() } else { int(1) }, 3);
        if t.0 > 2 { t.0 * t.1 } else { (if x < 0 { int(50) } else { int(60) }) + t.1 }
    }
    fn add(a: Int, b: Int) -> Int {
        a + b
    }
}

three_ways! { a_long_ladder: f(int(0)), f(int(1)), f(int(2)), f(int(3)), f(int(4)), f(int(99));
    fn f(x: Int) -> Int {
        if x == 0 {
            10
        } else if x == 1 {
            x + 20
        } else if x == 2 {
            let y = x * 3;
            y + 30
        } else if x == 3 {
            if x > 2 { 40 } else { 50 }
        } else if x == 4 {
            x
        } else {
            -1
        }
    }
}

three_ways! { nested_branches_with_state: f(int(1), int(1)), f(int(1), int(-1)), f(int(-1), int(1)), f(int(-1), int(-1));
    fn f(a: Int, b: Int) -> (Int, Int) {
        let (mut x, mut y) = (a, b);
        if x > 0 {
            if y > 0 {
                x += y;
                y = 0;
            } else {
                y *= 10;
            }
            x += 100;
        } else {
            if y > 0 {
                x = y.clone() - x;
            }
            y -= 5;
        }
        (x, y)
    }
}

mod tensors_only {
    use crate::support::{assert_ways, outcome};
    use graph_runtime::prelude::*;

    /// The right side of `&&` and `||` isn't computed if the left side decides; here it would fail.
    #[graph_fn]
    fn guarded(xs: Tensor<i32>, i: Tensor<i32>) -> Tensor<i32> {
        let mut r = tensor(0);
        if i < 3 && xs[&i] > 1 {
            r += 1;
        }
        if i >= 3 || xs[&i] > 1 {
            r += 10;
        }
        r
    }

    #[test]
    fn the_right_side_only_where_needed() {
        let xs = || tensor([0, 5, 1]);
        assert_ways(&["0", "11", "0", "10"].map(String::from), || {
            (0..4)
                .map(|i| outcome(|| guarded(xs(), tensor(i))))
                .collect()
        });
    }

    /// Only the taken branch runs; the other one would divide by zero.
    #[graph_fn]
    fn quotient(a: Tensor<i32>, b: Tensor<i32>) -> Tensor<i32> {
        if b == 0 { 0 } else { a / b }
    }

    #[test]
    fn only_the_taken_branch_runs() {
        assert_ways(&["3", "0"].map(String::from), || {
            vec![
                outcome(|| quotient(tensor(7), tensor(2))),
                outcome(|| quotient(tensor(7), tensor(0))),
            ]
        });
    }

    /// Strings are compared by `==` and `!=`.
    #[graph_fn]
    fn greeting(name: Tensor<String>) -> Tensor<String> {
        if name == "world" || name == "" {
            "hello, world".into()
        } else {
            name + "?"
        }
    }

    #[test]
    fn strings() {
        assert_ways(&["\"hello, world\"", "\"you?\""].map(String::from), || {
            vec![
                outcome(|| greeting(tensor("world"))),
                outcome(|| greeting(tensor("you"))),
            ]
        });
    }

    /// A comparison of vectors is elementwise; the condition says how its values are combined.
    #[graph_fn]
    fn counted(xs: Tensor<i32>) -> Tensor<i32> {
        let positive = xs > 0;
        if positive.all() {
            3
        } else if positive.any() {
            2
        } else if (xs == 0).all() {
            1
        } else {
            0
        }
    }

    #[test]
    fn conditions_of_vectors() {
        assert_ways(&["3", "2", "1", "0"].map(String::from), || {
            let inputs = [[1, 2], [0, 2], [0, 0], [-1, 0]];
            inputs
                .iter()
                .map(|xs| outcome(|| counted(tensor(*xs))))
                .collect()
        });
    }

    /// A tensor of rank 1 with one value is allowed as a condition, as in TensorFlow.
    #[graph_fn]
    fn single(x: Tensor<f32>) -> Tensor<f32> {
        if x > 0.0 { x } else { -x }
    }

    #[test]
    fn a_condition_of_shape_one() {
        assert_ways(&["[2.0]", "[3.0]"].map(String::from), || {
            vec![
                outcome(|| single(tensor([2.0]))),
                outcome(|| single(tensor([-3.0]))),
            ]
        });
    }
}

three_ways! { a_right_side_that_changes_variables: f(int(1), int(1)), f(int(2), int(1)), f(int(2), int(-1)), f(int(5), int(2));
    fn f(a: Int, b: Int) -> (Int, Int) {
        let mut asked = int(0);
        let mut r = int(0);
        if a == 2 && { asked += 1; b > 0 } {
            r += 1;
        }
        if a == 2 || ({ asked += 10; b > 0 }) {
            r += 10;
        }
        let mut i = int(0);
        while i < a && { asked += 100; i.clone() * b.clone() < 3 } {
            i += 1;
        }
        (r, asked)
    }
}

/// The left side contains a struct literal, which `if` would not accept as its condition.
#[test]
fn a_right_side_that_changes_variables_behind_a_struct() {
    #[derive(PartialEq)]
    struct Size {
        rows: i32,
    }
    #[graph_fn]
    fn f(a: Tensor<i32>, rows: i32) -> (Tensor<i32>, i32) {
        let (size, mut asked) = (Size { rows }, 0);
        let both = Size { rows: 1 } == size && {
            asked += 1;
            asked > 0
        };
        let any = Size { rows: 1 } == size || {
            asked += 10;
            asked > 10
        };
        let a = if both { a + 1 } else { a };
        (if any { a * 2 } else { a }, asked)
    }
    for (rows, expected) in [(1, (12, 1)), (2, (5, 10))] {
        let (result, asked) = f(tensor(5), rows);
        assert_eq!((result.item(), asked), expected);
    }
}

three_ways! { among_written_numbers: f(int(1)), f(int(4)), f(int(-3)), f(int(10)), f(int(20));
    fn f(mut n: Int) -> (Int, Int) {
        let mut steps = int(0);
        while (-4..=12).contains(&n) && ![1, 2, 3].contains(&n) {
            n -= 3;
            steps += 1;
        }
        let kind = if [-6, -5].contains(&n) { 1 } else if (0..10).contains(&n) { 2 } else { 3 };
        (steps, n + kind)
    }
}

#[test]
fn among_written_texts() {
    #[graph_fn]
    fn vowels(letters: Tensor<String>) -> Tensor<i32> {
        let mut n = tensor(0);
        for letter in letters {
            if ["a", "e", "i", "o", "u"].contains(&letter) {
                n += 1;
            }
        }
        n
    }
    assert_eq!(vowels(tensor(["a", "b", "e"])).item(), 2);
}

three_ways! { a_calculated_value_among_literals: f(int(7)), f(int(8)), f(int(-3));
    fn f(n: Int) -> Int {
        let rest = n % 5;
        let shifted = -(rest + 1);
        if [0, 2].contains(&rest) || (-2..0).contains(&shifted) { n } else { int(0) }
    }
}
