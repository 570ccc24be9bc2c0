// Wanted: to compare a float tensor with an integer.
use graph_runtime::prelude::*;

#[graph_fn]
fn f(x: Tensor<f32>) -> Tensor<f32> {
    if x > 0 { x } else { -x }
}

fn main() {}
