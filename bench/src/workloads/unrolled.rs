//! Loops over Rust numbers, which are unrolled: chains of matrix products.

use graph_runtime::prelude::*;

/// A hundred products, unrolled while tracing.
#[graph_fn]
pub fn power(x: Tensor<i32>) -> Tensor<i32> {
    let mut result = eye(x.dim(0));
    for _ in 0..100 {
        result = matmul(&x, result);
    }
    result
}

/// Ninety-nine products with a running sum, unrolled while tracing.
#[graph_fn]
pub fn costly(x: Tensor<f32>) -> Tensor<f32> {
    let mut aux = eye(x.dim(0));
    let mut result = zeros(&[x.dim(0)]);
    for i in 1..100 {
        aux = matmul(&x, aux) / i as f32;
        result = result + aux;
    }
    result
}
