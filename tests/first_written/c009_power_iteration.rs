//! The largest eigenvalue of a 2x2 matrix and its vector, with an early exit: ml_power_iteration.
use graph_runtime::prelude::*;

#[graph_fn]
fn power_iteration(m: Tensor<f32>) -> (Tensor<f32>, Tensor<f32>) {
    let mut v = tensor([1.0, 1.0]);
    let mut lambda = tensor(0.0);
    for _ in 0..tensor(100) {
        let w = m.matvec(v);
        v = w / w.norm();
        let new = (v * m.matvec(v)).sum();
        let done = (new - lambda).abs() < 1e-6;
        lambda = new;
        if done {
            break;
        }
    }
    (lambda, v)
}

fn close(a: f32, b: f32) -> bool {
    (a - b).abs() <= 1e-4 * b.abs().max(1.0)
}

fn main() {
    let (lambda, v) = power_iteration(tensor([[2.0, 1.0], [1.0, 3.0]]));
    assert!(close(lambda.item(), 3.6180344));
    let v = v.to_vec();
    assert!(close(v[0], 0.5258221) && close(v[1], 0.8505946));
    let (lambda, _) = power_iteration(tensor([[5.0, 0.0], [0.0, 1.0]]));
    assert!(close(lambda.item(), 5.0));
    let (lambda, _) = power_iteration(tensor([[1.0, 2.0], [3.0, 4.0]]));
    assert!(close(lambda.item(), 5.3722816));
}
