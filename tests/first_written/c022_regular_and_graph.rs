//! The same function as plain Rust and as a graph: seed0_regular_and_graph_function.
use graph_runtime::prelude::*;

fn a_regular_function(x: Tensor<f32>, y: Tensor<f32>, b: Tensor<f32>) -> Tensor<f32> {
    let x = x.matmul(&y);
    x + b
}

#[graph_fn]
fn a_function_that_uses_a_graph(x: Tensor<f32>, y: Tensor<f32>, b: Tensor<f32>) -> Tensor<f32> {
    let x = x.matmul(y);
    x + b
}

fn main() {
    let x = tensor([[1.0, 2.0]]);
    let y = tensor([[2.0], [3.0]]);
    let b = tensor(4.0);
    let regular = a_regular_function(x.clone(), y.clone(), b.clone());
    let graph = a_function_that_uses_a_graph(x, y, b);
    assert_eq!(regular.to_vec(), [12.0]);
    assert_eq!(graph.to_vec(), [12.0]);
}
