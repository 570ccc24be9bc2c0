//! Chains of elementwise operations.

use graph_runtime::prelude::*;

/// Thirteen elementwise operations.
#[graph_fn]
pub fn chain(x: Tensor<f32>) -> Tensor<f32> {
    (x * 2.0 + 1.0).tanh() * x.sigmoid() - (-x * x).exp() + select(x > 0.0, &x, 0.1 * x)
}

/// One Collatz step for each number.
#[graph_fn]
pub fn collatz(x: Tensor<i32>) -> Tensor<i32> {
    select(x % 2 == 0, x / 2, 3 * x + 1)
}

/// The larger of each number and 0.
#[graph_fn]
pub fn relu(x: Tensor<f32>) -> Tensor<f32> {
    x.relu()
}
