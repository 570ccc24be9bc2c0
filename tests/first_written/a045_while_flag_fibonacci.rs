//! Fibonacci until above n, by a flag: conformance `while_true_break_tensor_flag`.
use graph_runtime::prelude::*;

#[graph_fn]
fn fibonacci_above(n: Tensor<i32>) -> (Tensor<i32>, Tensor<i32>) {
    let mut a = tensor(0);
    let mut b = tensor(1);
    let mut go = tensor(true);
    while go {
        if b > n {
            go = tensor(false);
        } else {
            (a, b) = (b, a + b);
        }
    }
    (a, b)
}

fn main() {
    for (n, expected) in [(10, (8, 13)), (0, (0, 1)), (55, (55, 89))] {
        let (a, b) = fibonacci_above(tensor(n));
        assert_eq!((a.item(), b.item()), expected);
    }
}
