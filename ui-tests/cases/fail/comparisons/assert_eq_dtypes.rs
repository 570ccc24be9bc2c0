// Wanted: to assert that an integer tensor equals a float.
use graph_runtime::prelude::*;

#[graph_fn]
fn f(x: Tensor<i32>) -> Tensor<i32> {
    assert_eq!(x, 1.0);
    x
}

fn main() {}
