//! A loop over a Rust counter, run while tracing: conformance `break_in_while_true_python`.
use graph_runtime::prelude::*;

#[graph_fn]
fn times_four(x: Tensor<i32>) -> Tensor<i32> {
    let mut n = 0;
    loop {
        n += 1;
        if n > 3 {
            break;
        }
    }
    x * n
}

fn main() {
    assert_eq!(times_four(tensor(2)).item(), 8);
    assert_eq!(times_four(tensor(0)).item(), 0);
    assert_eq!(times_four(tensor(-5)).item(), -20);
}
