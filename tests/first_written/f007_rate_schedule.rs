//! A learning rate that warms up and decays, decided by the step inside of the training loop.

use graph_runtime::prelude::*;
use std::f32::consts::PI;

const WARMUP: i32 = 10;
const TOTAL: i32 = 100;

#[graph_fn]
fn rate(step: Tensor<i32>) -> Tensor<f32> {
    let t = step.cast::<f32>();
    if step < WARMUP {
        0.1 * (t + 1.0) / WARMUP as f32
    } else {
        let progress = (t - WARMUP as f32) / (TOTAL - WARMUP) as f32;
        0.05 * (1.0 + (PI * progress).cos())
    }
}

#[graph_fn]
fn train(x: &Tensor<f32>, y: &Tensor<f32>) -> (Tensor<f32>, Tensor<f32>) {
    let mut w = tensor([0.0, 0.0]);
    let mut rates = TensorArray::new(TOTAL as usize);
    for step in 0..tensor(TOTAL) {
        let lr = rate(step);
        let slope = grad(|w: &Tensor<f32>| (x.matvec(w) - y).square().mean())(&w);
        w -= lr * slope;
        rates.write(step, lr);
    }
    (w, rates.stack())
}

fn main() {
    let x = tensor([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0], [2.0, -1.0]]);
    let y = tensor([1.0, -2.0, -1.0, 4.0]);
    let (w, rates) = train(&x, &y);
    println!("{w}");
    assert!((rates.get(0).item() - 0.01).abs() < 1e-7);
    assert!((rates.max().item() - 0.1).abs() < 1e-7);
    assert!((rates.get(55).item() - 0.05).abs() < 1e-6);
    for (found, wanted) in w.to_vec().into_iter().zip(W) {
        assert!((found - wanted).abs() < 1e-5, "{found} {wanted}");
    }
}

// NumPy's.
const W: [f32; 2] = [1.000_333_4, -1.998_899];
