// Wanted: to index by a float.
use graph_runtime::prelude::*;

#[graph_fn]
fn f(x: Tensor<f32>) -> Tensor<f32> {
    x[1.5]
}

fn main() {}
