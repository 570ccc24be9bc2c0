//! relu(x y): seed3_simple_nn_layer.
use graph_runtime::prelude::*;

#[graph_fn]
fn simple_nn_layer(x: Tensor<f32>, y: Tensor<f32>) -> Tensor<f32> {
    x.matmul(y).relu()
}

fn main() {
    let x = tensor([[0.5, -1.0, 0.25], [1.0, 0.0, 2.0], [-0.5, 0.5, 1.0]]);
    let y = tensor([[1.0, 0.0, -1.0], [0.5, 2.0, 0.0], [0.0, 1.0, 1.0]]);
    let layer = simple_nn_layer(x.clone(), y.clone());
    assert_eq!(layer.to_vec(), [0.0, 0.0, 0.0, 1.0, 2.0, 1.0, 0.0, 2.0, 1.5]);
    let swapped = simple_nn_layer(y, x);
    assert_eq!(swapped.to_vec(), [1.0, 0.0, 0.0, 2.25, 0.0, 4.125, 0.5, 0.5, 3.0]);
}
