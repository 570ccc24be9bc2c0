//! A learning rate that warms up, holds and decays by a cosine (textbook: warm-up and cosine decay).
use graph_runtime::prelude::*;
use std::f32::consts::PI;

#[graph_fn]
fn learning_rate(step: Tensor<i32>) -> Tensor<f32> {
    let t = step.cast::<f32>();
    if step < 10 {
        t / 10.0
    } else if step < 20 {
        1.0
    } else if step < 30 {
        0.5 * (1.0 + (PI * (t - 20.0) / 10.0).cos())
    } else {
        0.0
    }
}

fn main() {
    for (step, rate) in [(0, 0.0), (5, 0.5), (10, 1.0), (19, 1.0), (20, 1.0), (25, 0.5), (30, 0.0), (99, 0.0)] {
        assert!((learning_rate(tensor(step)).item() - rate).abs() < 1e-6, "{step}");
    }
}
