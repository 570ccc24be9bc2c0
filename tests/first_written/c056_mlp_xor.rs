//! The known network of two relus that computes XOR (textbook: Goodfellow et al., 6.1).
use graph_runtime::prelude::*;

#[graph_fn]
fn mlp(x: Tensor<f32>) -> Tensor<f32> {
    let w = tensor([[1.0, 1.0], [1.0, 1.0]]);
    let c = tensor([0.0, -1.0]);
    let v = tensor([[1.0], [-2.0]]);
    let hidden = (x.matmul(w) + c).relu();
    hidden.matmul(v).reshape([-1])
}

fn main() {
    let x = tensor([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]]);
    assert_eq!(mlp(x).to_vec(), [0.0, 1.0, 1.0, 0.0]);
    assert_eq!(mlp(tensor([[1.0, 0.0]])).to_vec(), [1.0]);
}
