// Wanted: a float zero in the other branch.
use graph_runtime::prelude::*;

#[graph_fn]
fn f(x: Tensor<f32>) -> Tensor<f32> {
    if x > 0.0 { x } else { 0 }
}

fn main() {}
