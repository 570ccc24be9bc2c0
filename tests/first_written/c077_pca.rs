//! The first principal component by power iteration on the covariance (textbook: Smith's PCA tutorial data).
use graph_runtime::prelude::*;

#[graph_fn]
fn first_component(points: Tensor<f64>) -> (Tensor<f64>, Tensor<f64>) {
    let n = points.shape()[0] as f64;
    let centered = points - points.mean_axis(0);
    let covariance = centered.transpose().matmul(centered) / (n - 1.0);
    let mut v = tensor([1.0, 0.0]);
    let mut change = tensor(1.0);
    while change > 1e-12 {
        let next = covariance.matvec(v);
        let next = next / next.norm();
        change = (next - v).norm();
        v = next;
    }
    let variance = (v * covariance.matvec(v)).sum();
    (variance, v)
}

fn main() {
    let points = tensor([
        [2.5, 2.4], [0.5, 0.7], [2.2, 2.9], [1.9, 2.2], [3.1, 3.0],
        [2.3, 2.7], [2.0, 1.6], [1.0, 1.1], [1.5, 1.6], [1.1, 0.9],
    ]);
    let (variance, v) = first_component(points);
    assert!((variance.item() - 1.28402771).abs() < 1e-8);
    let v = v.to_vec();
    assert!((v[0] - 0.6778734).abs() < 1e-7);
    assert!((v[1] - 0.73517866).abs() < 1e-7);
}
