// Wanted: to add one to a float tensor. The message says `1.0`.
use graph_runtime::prelude::*;

#[graph_fn]
fn f(x: Tensor<f32>) -> Tensor<f32> {
    x + 1
}

fn main() {}
