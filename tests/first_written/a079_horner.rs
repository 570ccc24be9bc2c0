//! Evaluates a polynomial, over rows and over a Rust slice: textbook: Horner's scheme.
use graph_runtime::prelude::*;

#[graph_fn]
fn horner(coefficients: Tensor<f32>, x: Tensor<f32>) -> Tensor<f32> {
    let mut y = tensor(0.0);
    for c in coefficients {
        y = y * x + c;
    }
    y
}

#[graph_fn]
fn constant_horner(coefficients: Vec<f32>, x: Tensor<f32>) -> Tensor<f32> {
    let mut y = x.zeros_like();
    for c in coefficients {
        y = y * x + c;
    }
    y
}

fn main() {
    // 2x^2 - 3x + 1
    assert_eq!(horner(tensor([2.0, -3.0, 1.0]), tensor(3.0)).item(), 10.0);
    assert_eq!(horner(tensor([2.0, -3.0, 1.0]), tensor(0.5)).item(), 0.0);
    let y = constant_horner(vec![2.0, -3.0, 1.0], tensor([0.0, 1.0, 3.0]));
    assert_eq!(y.to_vec(), vec![1.0, 0.0, 10.0]);
}
