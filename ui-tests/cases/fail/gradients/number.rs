// Wanted: a gradient by hand of a function that also takes a number.
use graph_runtime::autodiff::custom_gradient;
use graph_runtime::prelude::*;

#[custom_gradient]
#[graph_fn]
fn limited(x: Tensor<f32>, limit: f32) -> (Tensor<f32>, impl FnOnce(Tensor<f32>) -> Tensor<f32>) {
    (x, move |dy: Tensor<f32>| dy.clamp(-limit, limit))
}

fn main() {}
