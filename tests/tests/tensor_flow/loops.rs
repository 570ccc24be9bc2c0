//! The iterables of loops: ranges with tensor bounds of every form, rows, conditions; loops without iterations.

use graph_runtime::prelude::*;
use graph_runtime::while_loop_at_most;

use crate::support::each_way;

three_ways! { ranges_of_every_form: f(int(2), int(7)), f(int(7), int(2)), f(int(3), int(3)), f(int(-2), int(2));
    fn f(a: Int, b: Int) -> Vec<Int> {
        let (mut up, mut closed, mut from, mut to) = (int(1), int(1), int(1), int(1));
        for i in a.clone()..b.clone() {
            up = up * 3 + i;
        }
        for i in a.clone()..=b.clone() {
            closed = closed * 3 + i;
        }
        for i in a..5 {
            from = from * 3 + i;
        }
        for i in -1..=b {
            to = to * 3 + i;
        }
        vec![up, closed, from, to]
    }
}

three_ways! { ranges_backwards: f(int(2), int(7)), f(int(7), int(2)), f(int(4), int(4));
    fn f(a: Int, b: Int) -> (Int, Int) {
        let (mut open, mut closed) = (int(1), int(1));
        for i in (a.clone()..b.clone()).rev() {
            open = open * 3 + i;
        }
        for i in (a..=b).rev() {
            closed = closed * 3 + i;
        }
        (open, closed)
    }
}

three_ways! { ranges_in_steps: f(int(0), int(0)), f(int(0), int(7)), f(int(1), int(8)), f(int(9), int(3));
    fn f(a: Int, b: Int) -> Vec<Int> {
        let (mut s1, mut s2, mut s3, mut s4) = (int(1), int(1), int(1), int(1));
        for i in (a.clone()..b.clone()).step_by(3) {
            s1 = s1 * 5 + i;
        }
        for i in (a.clone()..=b.clone()).step_by(2) {
            s2 = s2 * 5 + i;
        }
        for i in (a.clone()..b.clone()).rev().step_by(3) {
            s3 = s3 * 5 + i;
        }
        for i in (a..b).step_by(3).rev() {
            s4 = s4 * 5 + i;
        }
        vec![s1, s2, s3, s4]
    }
}

three_ways! { bounds_that_are_expressions: f(int(3)), f(int(0));
    fn f(n: Int) -> Int {
        let mut s = int(0);
        for i in n * 2 - 1..n * n + 3 {
            s += i;
        }
        for i in 0..if n > 1 { n } else { int(4) } {
            s += i * 100;
        }
        s
    }
}

three_ways! { bounds_are_read_once: f(int(4));
    fn f(n: Int) -> (Int, Int) {
        let mut n = n;
        let mut turns = int(0);
        for i in 0..n.clone() {
            n += i;
            turns += 1;
        }
        (n, turns)
    }
}

three_ways! { bounds_of_the_inner_loop_from_the_outer: f(int(5)), f(int(0));
    fn f(n: Int) -> Int {
        let mut s = int(0);
        for i in 0..n.clone() {
            for j in i.clone()..n.clone() {
                for k in (0..j).step_by(2) {
                    s += i.clone() * k + 1;
                }
            }
        }
        s
    }
}

three_ways! { rows_of_a_vector: f(ints(&[3, 1, 2])), f(ints(&[7])), f(ints(&[]));
    fn f(items: Ints) -> (Int, Int) {
        let mut max = int(-1);
        let mut s = int(0);
        for item in items {
            if item > max {
                max = item.clone();
            }
            s = s * 10 + item;
        }
        (max, s)
    }
}

three_ways! { rows_by_reference_and_again: f(ints(&[1, 2, 3]));
    fn f(items: Ints) -> Int {
        let mut s = int(0);
        for item in &items {
            s += item;
        }
        for item in &items {
            s *= item;
        }
        s
    }
}

three_ways! { a_loop_that_never_runs_leaves_everything: f(int(-3));
    fn f(n: Int) -> (Int, Int, Int) {
        let (mut a, mut b, mut c) = (int(1), int(2), int(3));
        for i in 0..n.clone() {
            a += i;
        }
        while n > 0 {
            b += 1;
        }
        loop {
            if n < 0 {
                break;
            }
            c += 1;
        }
        (a, b, c)
    }
}

three_ways! { nested_loops_that_never_run: f(int(3), int(0)), f(int(0), int(3)), f(int(2), int(2));
    fn f(n: Int, m: Int) -> (Int, Int) {
        let mut inner = int(0);
        let mut outer = int(0);
        for i in 0..n {
            outer += 1;
            for j in 0..m.clone() {
                inner += i.clone() + j;
            }
        }
        (inner, outer)
    }
}

three_ways! { a_condition_of_several_parts: f(int(0)), f(int(30)), f(int(31));
    fn f(n: Int) -> (Int, Int) {
        let mut a = n;
        let mut turns = int(0);
        while a > 0 && turns < 5 || a == 31 && !(turns > 7) {
            a -= 2;
            turns += 1;
        }
        (a, turns)
    }
}

three_ways! { a_condition_that_is_a_block: f(int(10));
    fn f(n: Int) -> Int {
        let mut a = n;
        while {
            let half = a / 2;
            half * 2 == a
        } {
            a /= 2;
        }
        a
    }
}

three_ways! { the_condition_changes_state: f(int(10)), f(int(0));
    fn f(n: Int) -> (Int, Int) {
        let mut a = n;
        let mut tests = int(0);
        while {
            tests += 1;
            a > 3
        } {
            a -= 3;
        }
        (a, tests)
    }
}

three_ways! { greatest_common_divisor: f(int(48), int(36)), f(int(17), int(5)), f(int(9), int(0));
    fn f(a: Int, b: Int) -> Int {
        let (mut a, mut b) = (a, b);
        while b != 0 {
            (a, b) = (b.clone(), a % b);
        }
        a
    }
}

three_ways! { collatz: f(int(1)), f(int(6)), f(int(27));
    fn f(n: Int) -> (Int, Int) {
        let mut n = n;
        let mut steps = int(0);
        let mut highest = n.clone();
        while n != 1 {
            n = if n % 2 == 0 { n / 2 } else { 3 * n + 1 };
            if n > highest {
                highest = n.clone();
            }
            steps += 1;
        }
        (steps, highest)
    }
}

three_ways! { fibonacci: f(int(0)), f(int(1)), f(int(30));
    fn f(n: Int) -> Int {
        let (mut a, mut b) = (int(0), int(1));
        for _ in 0..n {
            (a, b) = (b.clone(), a + b);
        }
        a
    }
}

three_ways! { power_by_squaring: f(int(3), int(13)), f(int(7), int(0));
    fn f(base: Int, exponent: Int) -> Int {
        let (mut base, mut exponent, mut result) = (base, exponent, int(1));
        while exponent > 0 {
            if exponent % 2 == 1 {
                result *= base.clone();
            }
            base = base * base;
            exponent /= 2;
            if exponent == 0 {
                break;
            }
        }
        result
    }
}

three_ways! { integer_square_root_by_halves: f(int(0)), f(int(99)), f(int(100)), f(int(1_000_000));
    fn f(n: Int) -> Int {
        let (mut low, mut high) = (int(0), int(40_000));
        while high - low > 1 {
            let mid = (low + high) / 2;
            if mid * mid > n {
                high = mid;
            } else {
                low = mid;
            }
        }
        low
    }
}

three_ways! { newton_with_floats: f(float(2.0)), f(float(0.25)), f(float(1e6));
    fn f(x: Float) -> (Float, Int) {
        let mut guess = x.clone();
        let mut turns = int(0);
        loop {
            let next = (guess + x / guess) * 0.5;
            turns += 1;
            let change = if next > guess { next - guess } else { guess - next };
            guess = next;
            if change < 1e-3 || turns >= 50 {
                break;
            }
        }
        (guess, turns)
    }
}

three_ways! { primes_below: f(int(30)), f(int(2));
    fn f(n: Int) -> (Int, Int) {
        let mut count = int(0);
        let mut last = int(0);
        'candidates: for candidate in 2..n {
            let mut d = int(2);
            while d * d <= candidate {
                if candidate % d == 0 {
                    continue 'candidates;
                }
                d += 1;
            }
            count += 1;
            last = candidate;
        }
        (count, last)
    }
}

three_ways! { digits_reversed: f(int(12345)), f(int(-120)), f(int(0));
    fn f(n: Int) -> Int {
        let negative = n < 0;
        let mut rest = if n < 0 { -n } else { n };
        let mut out = int(0);
        while rest > 0 {
            out = out * 10 + rest % 10;
            rest /= 10;
        }
        if negative { -out } else { out }
    }
}

three_ways! { a_loop_inside_a_branch_inside_a_loop: f(int(6));
    fn f(n: Int) -> Int {
        let mut s = int(0);
        for i in 0..n {
            if i % 2 == 0 {
                let mut j = i.clone();
                while j > 0 {
                    s += j;
                    j -= 1;
                }
            } else {
                for k in 0..i {
                    s -= k;
                }
            }
        }
        s
    }
}

/// A range with 64-bit bounds has 64-bit numbers.
mod wide_bounds {
    use crate::support::{assert_ways, outcome};
    use graph_runtime::prelude::*;

    #[graph_fn]
    fn f(a: Tensor<i64>, b: Tensor<i64>) -> Tensor<i64> {
        let mut s = tensor(0);
        for i in (a..=b).rev().step_by(2) {
            s = s * 10 + i;
        }
        s
    }

    #[test]
    fn agree() {
        let (a, b) = (5_000_000_000_i64, 5_000_000_003_i64);
        let mut expected = 0;
        for i in (a..=b).rev().step_by(2) {
            expected = expected * 10 + i;
        }
        assert_ways(&[expected.to_string()], || {
            vec![outcome(|| f(tensor(a), tensor(b)))]
        });
    }
}

three_ways! { a_list_is_taken_apart_until_a_tensor_leaves: f(vec![int(5), int(2), int(3)], int(6)), f(vec![int(5), int(2)], int(60)), f(vec![], int(0));
    fn f(mut items: Vec<Int>, limit: Int) -> (Int, Int) {
        let (mut sum, mut count) = (int(0), int(0));
        while let Some(item) = items.pop() {
            if item == 4 {
                continue;
            }
            if sum + item > limit {
                break;
            }
            sum += item;
            count += 1;
        }
        (sum, count)
    }
}

three_ways! { an_iterator_goes_on_until_a_tensor_leaves: f(vec![int(5), int(2), int(3)], int(4)), f(vec![int(1), int(2)], int(4));
    fn f(items: Vec<Int>, limit: Int) -> (Int, Int) {
        let mut sum = int(0);
        let mut remaining = items.iter();
        while let Some(item) = remaining.next() {
            if *item > limit {
                return (sum, int(-1));
            }
            sum += item;
        }
        let mut small = int(0);
        let mut remaining = items.iter().rev();
        while let Some(item) = remaining.next() && *item < 3 {
            small += item;
        }
        (sum, small)
    }
}

/// Rows of a matrix are vectors, over which an inner loop can iterate.
mod rows_of_a_matrix {
    use crate::support::{assert_ways, outcome};
    use graph_runtime::prelude::*;

    #[graph_fn]
    fn f(matrix: Tensor<f32>) -> (Tensor<f32>, Tensor<f32>) {
        let mut sum = tensor(0.0);
        let mut rows = zeros::<f32>(&[2]);
        for row in matrix {
            for x in &row {
                if x < 0.0 {
                    break;
                }
                sum += x;
            }
            rows += row;
        }
        (sum, rows)
    }

    #[test]
    fn agree() {
        // In each row the sum stops at the first negative number: 1 + 2, then 3, then nothing.
        let expected = ["(6.0, [-1.0, 1.0])".to_string()];
        assert_ways(&expected, || {
            vec![outcome(|| {
                f(tensor([[1.0, 2.0], [3.0, -4.0], [-5.0, 3.0]]))
            })]
        });
    }
}

/// `tf.while_loop` with `maximum_iterations`: the body runs at most this often, and never if it is 0.
#[test]
fn loops_of_at_most_so_many_iterations() {
    #[graph_fn]
    fn doubled(limit: Tensor<i32>) -> (Tensor<i32>, Tensor<i32>) {
        let (n, double) = (tensor(0), tensor(1));
        while_loop_at_most(
            limit,
            |(n, _)| n.lt(5),
            |(n, d)| (n + 1, d * 2),
            (n, double),
        )
    }
    each_way(|| {
        for (limit, expected) in [(0, (0, 1)), (3, (3, 8)), (5, (5, 32)), (9, (5, 32))] {
            let (n, double) = doubled(tensor(limit));
            assert_eq!((n.item(), double.item()), expected);
        }
    });
}
