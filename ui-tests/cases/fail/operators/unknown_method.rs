// Wanted: a method that tensors don't have.
use graph_runtime::prelude::*;

#[graph_fn]
fn f(x: Tensor<f32>) -> Tensor<f32> {
    if x > 0.0 { x.average() } else { x }
}

fn main() {}
