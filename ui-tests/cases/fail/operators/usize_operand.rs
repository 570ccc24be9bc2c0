// Wanted: to scale a float tensor by a `usize`.
use graph_runtime::prelude::*;

#[graph_fn]
fn f(x: Tensor<f32>, n: usize) -> Tensor<f32> {
    x / n
}

fn main() {}
