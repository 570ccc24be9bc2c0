//! Logistic regression by hand: does a student pass after x hours (textbook: logistic regression).
use graph_runtime::prelude::*;

fn probability(w: Tensor<f32>, b: Tensor<f32>, x: Tensor<f32>) -> Tensor<f32> {
    (w * x + b).sigmoid()
}

#[graph_fn]
fn fit(x: Tensor<f32>, y: Tensor<f32>, rate: f32) -> (Tensor<f32>, Tensor<f32>) {
    let mut w = tensor(0.0);
    let mut b = tensor(0.0);
    for _ in 0..tensor(200) {
        let error = probability(w, b, x) - y;
        w -= rate * (error * x).mean();
        b -= rate * error.mean();
    }
    (w, b)
}

fn main() {
    let hours = tensor([0.5, 1.0, 1.5, 3.0, 3.5, 4.0]);
    let passed = tensor([0.0, 0.0, 0.0, 1.0, 1.0, 1.0]);
    let (w, b) = fit(hours.clone(), passed, 0.5);
    assert!((w.item() - 2.57926).abs() < 1e-3);
    assert!((b.item() + 5.403475).abs() < 1e-3);
    let p = probability(w, b, hours).to_vec();
    assert!((p[0] - 0.0161).abs() < 1e-3);
    assert!((p[5] - 0.9927).abs() < 1e-3);
}
