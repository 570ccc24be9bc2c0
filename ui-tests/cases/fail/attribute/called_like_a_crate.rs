// Wanted: a function called like a crate that the module uses.
use graph_runtime::prelude::*;

#[graph_fn]
fn graph_runtime(x: Tensor<f32>) -> Tensor<f32> {
    x * 2.0
}

fn main() {}
