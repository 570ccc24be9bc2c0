// Wanted: to choose a function by a tensor.
use graph_runtime::prelude::*;

#[graph_fn]
fn f(x: Tensor<f32>) -> Tensor<f32> {
    let activation: fn(Tensor<f32>) -> Tensor<f32> = if x.sum() > 0.0 { |x| x.relu() } else { |x| x.tanh() };
    activation(x)
}

fn main() {}
