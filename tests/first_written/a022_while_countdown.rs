//! Counts down and counts the steps: conformance `while_countdown`.
use graph_runtime::prelude::*;

#[graph_fn]
fn while_countdown(mut n: Tensor<i32>) -> (Tensor<i32>, Tensor<i32>) {
    let mut steps = tensor(0);
    while n > 0 {
        n -= 1;
        steps += 1;
    }
    (n, steps)
}

fn main() {
    for (n, rest, steps) in [(5, 0, 5), (1, 0, 1), (0, 0, 0), (-4, -4, 0)] {
        let (a, b) = while_countdown(tensor(n));
        assert_eq!(a.item(), rest);
        assert_eq!(b.item(), steps);
    }
}
