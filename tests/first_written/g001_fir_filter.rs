//! A moving average as a convolution, and a windowed sinc filter, over a noisy sine.

use graph_runtime::prelude::*;
use std::f32::consts::PI;

#[graph_fn]
fn low_pass(taps: usize, cutoff: f32) -> Tensor<f32> {
    let middle = (taps - 1) as f32 / 2.0;
    let n = range(0, taps as i32, 1).cast::<f32>() - middle;
    let angle = &n * (2.0 * PI * cutoff);
    let sinc = where_(n.equal(0.0), 2.0 * cutoff, angle.sin() / (&n * PI));
    let window = 0.54 + 0.46 * (2.0 * PI * &n / (taps - 1) as f32).cos();
    let h = sinc * window;
    &h / h.sum()
}

/// Each sample of the result is the sum of `h[k] * x[i + k]`, where all of them exist.
#[graph_fn]
fn filter(x: Tensor<f32>, h: Tensor<f32>) -> Tensor<f32> {
    let x = x.reshape([1, -1, 1]);
    let h = h.reshape([-1, 1, 1]);
    x.conv1d(h, 1, Padding::Valid).flatten()
}

fn main() {
    let n = 200;
    let t = linspace(0.0, 1.0, n);
    let slow = (2.0 * PI * 3.0 * &t).sin();
    let fast = (2.0 * PI * 60.0 * &t).sin();
    let h = low_pass(41, 0.1);
    assert!((h.sum().item() - 1.0).abs() < 1e-5);
    let y = filter(&slow + &fast, &h);
    assert_eq!(y.len(), n - 40);
    // The filter has no phase: what is left is the slow part, 20 samples in.
    let error = (y - slow.slice([20], [n - 40])).abs().max().item();
    assert!(error < 0.02, "{error}");
    let mean = filter(tensor([1.0, 2.0, 3.0, 4.0]), tensor([0.5, 0.5]));
    assert_eq!(mean.to_vec(), vec![1.5, 2.5, 3.5]);
}
