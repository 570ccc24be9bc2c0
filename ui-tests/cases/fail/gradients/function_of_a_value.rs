// Wanted: the gradient of a function that takes its tensor by value.
use graph_runtime::autodiff::grad;
use graph_runtime::prelude::*;

fn cube(x: Tensor<f32>) -> Tensor<f32> {
    x.powi(3)
}

fn line(x: &Tensor<f32>) -> Tensor<f32> {
    x * 2.0
}

fn main() {
    let x = tensor(2.0);
    grad(cube)(&x);
    grad(line, &x);
}
