//! Operations on the rows and columns of matrices: reductions, softmax, layer normalization, transposes.

use graph_runtime::prelude::*;

/// Softmax over rows.
#[graph_fn]
pub fn softmax(x: Tensor<f32>) -> Tensor<f32> {
    x.softmax(-1)
}

/// Layer normalization over rows, with scale and shift.
#[graph_fn]
pub fn layer_norm(x: Tensor<f32>, scale: Tensor<f32>, shift: Tensor<f32>) -> Tensor<f32> {
    let centred = x - x.mean_axes(&[1], true);
    let variance = centred.square().mean_axes(&[1], true);
    centred * (variance + 1e-5).rsqrt() * scale + shift
}

/// The sum of the column means.
#[graph_fn]
pub fn vectorized(x: Tensor<f32>) -> Tensor<f32> {
    x.mean_axis(0).sum()
}

/// The sums of the columns.
#[graph_fn]
pub fn column_sums(x: Tensor<f32>) -> Tensor<f32> {
    x.sum_axis(0)
}

/// The sum of all elements.
#[graph_fn]
pub fn sum(x: Tensor<f32>) -> Tensor<f32> {
    x.sum()
}

/// A transposed copy.
#[graph_fn]
pub fn transpose(x: Tensor<f32>) -> Tensor<f32> {
    x.t()
}
