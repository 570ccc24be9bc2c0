// Wanted: to cast a tensor.
use graph_runtime::prelude::*;

#[graph_fn]
fn f(x: Tensor<i32>) -> Tensor<f32> {
    x as f32
}

fn main() {}
