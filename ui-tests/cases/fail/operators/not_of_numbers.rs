// Wanted: Python's habit, `not x` of a number.
use graph_runtime::prelude::*;

#[graph_fn]
fn f(x: Tensor<f32>) -> Tensor<f32> {
    if !x { x } else { x + 1.0 }
}

fn main() {}
