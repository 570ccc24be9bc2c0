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

/// A layer of a transformer: normalized, widened, GELU, narrowed, and added to what came in.
#[graph_fn]
pub fn gelu_block(
    x: Tensor<f32>,
    scale: Tensor<f32>,
    shift: Tensor<f32>,
    w1: Tensor<f32>,
    b1: Tensor<f32>,
    w2: Tensor<f32>,
    b2: Tensor<f32>,
) -> Tensor<f32> {
    let normal = layer_norm(x.clone(), scale, shift);
    let u = matmul(normal, w1) + b1;
    let hidden = 0.5 * &u * (1.0 + (0.7978845608 * (&u + 0.044715 * &u * &u * &u)).tanh());
    x + matmul(hidden, w2) + b2
}
