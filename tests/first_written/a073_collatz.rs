//! Steps until 1: textbook: Collatz sequence.
use graph_runtime::prelude::*;

#[graph_fn]
fn collatz(n: Tensor<i64>) -> Tensor<i32> {
    let mut n = n;
    let mut steps = tensor(0);
    while n != 1 {
        n = if n % 2 == 0 { n / 2 } else { 3 * n + 1 };
        steps += 1;
    }
    steps
}

fn main() {
    assert_eq!(collatz(tensor(1i64)).item(), 0);
    assert_eq!(collatz(tensor(6i64)).item(), 8);
    assert_eq!(collatz(tensor(27i64)).item(), 111);
}
