//! A moving average with a TensorArray, and the same by a cumulative sum.

use graph_runtime::prelude::*;

#[graph_fn]
fn moving_average(x: &Tensor<f64>, width: usize) -> Tensor<f64> {
    let n = x.len();
    let mut out = TensorArray::new(n - width + 1);
    for i in range(0, n - width + 1) {
        out = out.write(i, x[i..i + width].mean());
    }
    out.stack()
}

#[graph_fn]
fn by_sums(x: &Tensor<f64>, width: usize) -> Tensor<f64> {
    let sums = concat([zeros([1]), x.cumsum(0)], 0);
    (&sums[width..] - &sums[..sums.len() - width]) / width as f64
}

#[graph_fn]
fn exponential(x: &Tensor<f64>, alpha: f64) -> Tensor<f64> {
    let mut out = TensorArray::dynamic();
    let mut level = x[0];
    for value in x {
        level = alpha * value + (1.0 - alpha) * level;
        out.push(&level);
    }
    out.stack()
}

fn main() {
    let x = tensor([1.0, 2.0, 6.0, 3.0, 5.0]);
    assert_eq!(moving_average(&x, 3).to_vec(), [3.0, 11.0 / 3.0, 14.0 / 3.0]);
    assert!((by_sums(&x, 3) - moving_average(&x, 3)).abs().max().item() < 1e-12);
    assert_eq!(exponential(&x, 0.5).to_vec(), [1.0, 1.5, 3.75, 3.375, 4.1875]);
}
