//! The polynomial through given points, at another point. From: textbook: Lagrange interpolation.
use graph_runtime::prelude::*;

#[graph_fn]
fn interpolate(xs: Tensor<f64>, ys: Tensor<f64>, x: Tensor<f64>) -> Tensor<f64> {
    let n = xs.len();
    let mut sum = tensor(0.0);
    for i in 0..n {
        let mut term = ys[i];
        for j in 0..n {
            if i != j {
                term *= (x - xs[j]) / (xs[i] - xs[j]);
            }
        }
        sum += term;
    }
    sum
}

fn main() {
    let at = |x: f64| interpolate(tensor([1.0, 2.0, 4.0]), tensor([1.0, 4.0, 16.0]), tensor(x)).item();
    assert!((at(3.0) - 9.0).abs() < 1e-12);
    assert!((at(0.5) - 0.25).abs() < 1e-12);
    assert!((at(2.0) - 4.0).abs() < 1e-12);
}
