// Wanted: a gradient by hand, as another function.
use graph_runtime::autodiff::custom_gradient;
use graph_runtime::prelude::*;

#[custom_gradient]
fn square(x: Tensor<f32>) -> Tensor<f32> {
    &x * &x
}

fn main() {}
