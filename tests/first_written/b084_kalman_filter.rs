//! A Kalman filter of one dimension over measurements. From: textbook: Kalman filter.
use graph_runtime::prelude::*;

#[graph_fn]
fn kalman(measurements: Tensor<f64>, noise: Tensor<f64>) -> (Tensor<f64>, Tensor<f64>) {
    let mut x = tensor(0.0);
    let mut p = tensor(1.0);
    for z in measurements {
        let gain = p / (p + noise);
        x += gain * (z - x);
        p *= 1.0 - gain;
    }
    (x, p)
}

fn main() {
    let (x, p) = kalman(tensor([1.0, 2.0, 3.0]), tensor(1.0));
    assert!((x.item() - 1.5).abs() < 1e-12);
    assert!((p.item() - 0.25).abs() < 1e-12);
    let (x, p) = kalman(tensor([1.0]), tensor(1.0));
    assert_eq!((x.item(), p.item()), (0.5, 0.5));
}
