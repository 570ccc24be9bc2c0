//! Odd or even by flipping a boolean: conformance `while_loop_over_bool_state`.
use graph_runtime::prelude::*;

#[graph_fn]
fn is_odd(mut n: Tensor<i32>) -> Tensor<bool> {
    let mut odd = tensor(false);
    while n > 0 {
        odd = !odd;
        n -= 1;
    }
    odd
}

fn main() {
    assert!(is_odd(tensor(5)).item());
    assert!(!is_odd(tensor(12)).item());
    assert!(is_odd(tensor(1)).item());
    assert!(!is_odd(tensor(0)).item());
}
