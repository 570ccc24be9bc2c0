// Wanted: to compare an integer tensor with a float tensor.
use graph_runtime::prelude::*;

#[graph_fn]
fn f(x: Tensor<i32>, y: Tensor<f32>) -> Tensor<bool> {
    x == y
}

fn main() {}
