//! The discrete Fourier transform, by its definition. From: textbook: DFT.
use graph_runtime::prelude::*;
use std::f64::consts::PI;

#[graph_fn]
fn dft(signal: Tensor<f64>) -> (Tensor<f64>, Tensor<f64>) {
    let n = signal.len();
    let mut re = Vec::new();
    let mut im = Vec::new();
    for k in 0..n {
        let mut a = tensor(0.0);
        let mut b = tensor(0.0);
        for t in 0..n {
            let angle = -2.0 * PI * (k * t) as f64 / n as f64;
            a += signal[t] * angle.cos();
            b += signal[t] * angle.sin();
        }
        re.push(a);
        im.push(b);
    }
    (stack(&re, 0), stack(&im, 0))
}

fn main() {
    let (re, im) = dft(tensor([1.0, 2.0, 3.0, 4.0]));
    for (got, e) in re.to_vec().iter().zip([10.0, -2.0, -2.0, -2.0]) {
        assert!((got - e).abs() < 1e-12);
    }
    for (got, e) in im.to_vec().iter().zip([0.0, 2.0, 0.0, -2.0]) {
        assert!((got - e).abs() < 1e-12);
    }
}
