//! The number of Collatz steps until one, and the highest value on the way. From: textbook: Collatz.
use graph_runtime::prelude::*;

#[graph_fn]
fn collatz(start: Tensor<i64>) -> (Tensor<i32>, Tensor<i64>) {
    let mut n = start;
    let mut steps = tensor(0);
    let mut highest = start;
    while n != 1 {
        n = if n % 2 == 0 { n / 2 } else { 3 * n + 1 };
        highest = highest.max(n);
        steps += 1;
    }
    (steps, highest)
}

fn main() {
    for (n, steps, highest) in [(1, 0, 1), (6, 8, 16), (27, 111, 9232)] {
        let (s, h) = collatz(tensor(n));
        assert_eq!(s.item(), steps);
        assert_eq!(h.item(), highest);
    }
}
