// Wanted: a gradient by hand with respect to a borrowed tensor.
use graph_runtime::autodiff::custom_gradient;
use graph_runtime::prelude::*;

#[custom_gradient]
fn square(x: &Tensor<f32>) -> (Tensor<f32>, impl FnOnce(Tensor<f32>) -> Tensor<f32>) {
    let slope = x * 2.0;
    (x * x, move |dy| dy * slope)
}

fn main() {}
