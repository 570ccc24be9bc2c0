//! One branch returns, the other goes on: conformance `return_dead_code_after`.
use graph_runtime::prelude::*;

#[graph_fn]
fn up_or_down(mut x: Tensor<i32>) -> Tensor<i32> {
    if x > 0 {
        return x + 1;
    } else {
        x -= 1;
    }
    x
}

fn main() {
    assert_eq!(up_or_down(tensor(1)).item(), 2);
    assert_eq!(up_or_down(tensor(-1)).item(), -2);
    assert_eq!(up_or_down(tensor(0)).item(), -1);
}
