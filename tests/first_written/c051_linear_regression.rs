//! Linear regression by gradient descent written by hand (textbook: least squares).
use graph_runtime::prelude::*;

#[graph_fn]
fn fit(x: Tensor<f32>, y: Tensor<f32>, steps: Tensor<i32>) -> (Tensor<f32>, Tensor<f32>) {
    let mut w = tensor(0.0);
    let mut b = tensor(0.0);
    for _ in 0..steps {
        let error = w * x + b - y;
        w -= 0.1 * (error * x).mean();
        b -= 0.1 * error.mean();
    }
    (w, b)
}

fn main() {
    let (w, b) = fit(tensor([1.0, 2.0, 3.0, 4.0]), tensor([3.0, 5.0, 7.0, 9.0]), tensor(2000));
    assert!((w.item() - 2.0).abs() < 1e-3);
    assert!((b.item() - 1.0).abs() < 1e-3);
    let (w, b) = fit(tensor([1.0, 2.0]), tensor([3.0, 5.0]), tensor(0));
    assert_eq!((w.item(), b.item()), (0.0, 0.0));
}
