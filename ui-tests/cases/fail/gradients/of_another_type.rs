// Wanted: a way back to a tensor of another dtype than the parameter's.
use graph_runtime::autodiff::custom_gradient;
use graph_runtime::prelude::*;

#[custom_gradient]
fn doubled(x: Tensor<f64>) -> (Tensor<f64>, impl FnOnce(Tensor<f64>) -> Tensor<f32>) {
    (x * 2.0, |dy| dy.cast::<f32>() * 2.0)
}

fn main() {}
