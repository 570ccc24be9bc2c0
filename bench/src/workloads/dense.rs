//! Matrix products, alone and in attention, and a convolution.

use graph_runtime::prelude::*;
use graph_runtime::tensor::{Number, Window};

/// A matrix product, batched if there are more than two axes.
#[graph_fn]
pub fn product<T: Number>(a: Tensor<T>, b: Tensor<T>) -> Tensor<T> {
    matmul(a, b)
}

/// Scaled dot-product attention with heads of size 64.
#[graph_fn]
pub fn attention(q: Tensor<f32>, k: Tensor<f32>, v: Tensor<f32>) -> Tensor<f32> {
    matmul((q.matmul_t(k) * 0.125).softmax(-1), v)
}

/// A convolution of images, with a bias for each filter.
#[graph_fn]
pub fn conv2d(x: Tensor<f32>, filters: Tensor<f32>, bias: Tensor<f32>) -> Tensor<f32> {
    x.conv2d(filters, Window::default()) + bias
}
