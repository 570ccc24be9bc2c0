// Wanted: to add an integer tensor to a float tensor.
use graph_runtime::prelude::*;

#[graph_fn]
fn f(x: Tensor<f32>, n: Tensor<i32>) -> Tensor<f32> {
    x + n
}

fn main() {}
