//! Gradients of maxima and minima where several values tie. From: conformance grad_max_ties.
use graph_runtime::prelude::*;

#[graph_fn]
fn gradients(x: Tensor<f32>) -> (Tensor<f32>, Tensor<f32>, Tensor<f32>, Tensor<f32>) {
    (
        grad(|v: Tensor<f32>| v.max())(&x),
        grad(|v: Tensor<f32>| v.min())(&x),
        grad(|v: Tensor<f32>| v.maximum(3.0).sum())(&x),
        grad(|v: Tensor<f32>| (v.sort() * tensor([1.0, 2.0, 3.0, 4.0])).sum())(&x),
    )
}

fn main() {
    let (max, min, at_least_three, sorted) = gradients(tensor([3.0, 1.0, 3.0, 2.0]));
    assert_eq!(max.to_vec(), [0.5, 0.0, 0.5, 0.0]);
    assert_eq!(min.to_vec(), [0.0, 1.0, 0.0, 0.0]);
    assert_eq!(at_least_three.to_vec(), [1.0, 0.0, 1.0, 0.0]);
    assert_eq!(sorted.to_vec(), [3.0, 1.0, 4.0, 2.0]);

    let (max, min, at_least_three, sorted) = gradients(tensor([1.0, 1.0, 1.0, 1.0]));
    assert_eq!(max.to_vec(), [0.25; 4]);
    assert_eq!(min.to_vec(), [0.25; 4]);
    assert_eq!(at_least_three.to_vec(), [0.0; 4]);
    assert_eq!(sorted.to_vec(), [1.0, 2.0, 3.0, 4.0]);
}
