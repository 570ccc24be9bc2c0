//! Relu by a branch with a literal: seed0_simple_relu.
use graph_runtime::prelude::*;

#[graph_fn]
fn simple_relu(x: Tensor<i32>) -> Tensor<i32> {
    if x > 0 {
        return x;
    } else {
        return 0;
    }
}

fn main() {
    assert_eq!(simple_relu(tensor(1)).item(), 1);
    assert_eq!(simple_relu(tensor(-1)).item(), 0);
    assert_eq!(simple_relu(tensor(0)).item(), 0);
}
