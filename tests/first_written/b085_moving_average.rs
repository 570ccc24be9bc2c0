//! Means of each window of a vector. From: textbook: moving average.
use graph_runtime::prelude::*;

#[graph_fn]
fn moving_average(v: Tensor<f32>, width: usize) -> Tensor<f32> {
    let n = v.len() - width + 1;
    let mut sum = v[..width].sum();
    let mut means = vec![sum / width as f32];
    for i in 1..n {
        sum = sum + v[i + width - 1] - v[i - 1];
        means.push(sum / width as f32);
    }
    stack(&means, 0)
}

fn main() {
    let v = tensor([1.0, 2.0, 3.0, 4.0, 6.0]);
    assert_eq!(moving_average(v.clone(), 2).to_vec(), [1.5, 2.5, 3.5, 5.0]);
    assert_eq!(moving_average(v.clone(), 5).to_vec(), [3.2]);
    assert_eq!(moving_average(v, 1).to_vec(), [1.0, 2.0, 3.0, 4.0, 6.0]);
}
