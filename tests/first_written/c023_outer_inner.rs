//! A graph function that calls a plain one: seed0_outer_inner.
use graph_runtime::prelude::*;

fn inner_function(x: Tensor<f32>, y: Tensor<f32>, b: Tensor<f32>) -> Tensor<f32> {
    x.matmul(&y) + b
}

#[graph_fn]
fn outer_function(x: Tensor<f32>) -> Tensor<f32> {
    let y = tensor([[2.0], [3.0]]);
    let b = tensor(4.0);
    inner_function(x, y, b)
}

fn main() {
    let result = outer_function(tensor([[1.0, 2.0]]));
    assert_eq!(result.shape(), [1, 1]);
    assert_eq!(result.to_vec(), [12.0]);
}
