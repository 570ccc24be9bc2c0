//! Means of rows in a loop, and all at once: seed1_for_versus_vectorized.
use graph_runtime::prelude::*;

#[graph_fn]
fn function_with_for(x: Tensor<f32>) -> Tensor<f32> {
    let mut sum = tensor(0.0);
    for row in x {
        sum += row.mean();
    }
    sum
}

#[graph_fn]
fn vectorized(x: Tensor<f32>) -> Tensor<f32> {
    x.mean_axis(0).sum()
}

fn main() {
    let x = tensor([[1.0, 2.0], [3.0, 5.0], [-7.0, 0.5]]);
    assert_eq!(function_with_for(x.clone()).item(), 2.25);
    assert!((vectorized(x).item() - 1.5).abs() < 1e-6);
    let x = tensor([[0.25, -0.25]]);
    assert_eq!(function_with_for(x.clone()).item(), 0.0);
    assert_eq!(vectorized(x).item(), 0.0);
    assert_eq!(function_with_for(Tensor::zeros([0, 2])).item(), 0.0);
}
