//! An if as an expression: conformance `ternary_basic`.
use graph_runtime::prelude::*;

#[graph_fn]
fn ternary_basic(x: Tensor<i32>) -> Tensor<i32> {
    if x > 0 { x * 2 } else { x - 1 }
}

fn main() {
    assert_eq!(ternary_basic(tensor(3)).item(), 6);
    assert_eq!(ternary_basic(tensor(0)).item(), -1);
    assert_eq!(ternary_basic(tensor(-3)).item(), -4);
}
