// Wanted: to compare an integer tensor with a half.
use graph_runtime::prelude::*;

#[graph_fn]
fn f(x: Tensor<i32>) -> Tensor<i32> {
    if x > 0.5 { x } else { -x }
}

fn main() {}
