//! The pitch of a sound: the lag at which it resembles itself most.

use graph_runtime::prelude::*;

/// The autocorrelation for the lags from `first` to `last`, each divided by the number of samples that overlap.
#[graph_fn]
fn autocorrelation(x: &Tensor<f32>, first: usize, last: usize) -> Tensor<f32> {
    let n = x.len();
    let x = x - x.mean();
    let mut values = Vec::new();
    for lag in first..last {
        let product = &x[..n - lag] * &x[lag..];
        values.push(product.mean());
    }
    stack(&values, 0)
}

#[graph_fn]
fn pitch(x: &Tensor<f32>, rate: f32) -> Tensor<f32> {
    let first = 20;
    let correlation = autocorrelation(x, first, 200);
    let best = correlation.argmax(0) + first as i64;
    rate / best.cast::<f32>()
}

fn main() {
    let rate = 8000.0;
    for period in [40, 64, 100] {
        let samples: Vec<f32> = (0..1000)
            .map(|i| {
                let phase = 2.0 * std::f32::consts::PI * i as f32 / period as f32;
                phase.sin() + 0.5 * (2.0 * phase).sin() + 0.3
            })
            .collect();
        let found = pitch(&tensor(samples), rate).item();
        assert!((found - rate / period as f32).abs() < 0.5, "{found} of {period}");
    }
}
