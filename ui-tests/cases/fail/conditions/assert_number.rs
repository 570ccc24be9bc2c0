// Wanted: to assert that a count is not zero.
use graph_runtime::prelude::*;

#[graph_fn]
fn f(x: Tensor<i32>) -> Tensor<i32> {
    assert!(x, "x must not be zero");
    x
}

fn main() {}
