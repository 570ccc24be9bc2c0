//! Training steps of a small tanh network with its weights in variables (textbook: backpropagation).
use graph_runtime::prelude::*;

#[graph_fn]
fn step(w1: &Variable<f32>, w2: &Variable<f32>, x: Tensor<f32>, y: Tensor<f32>) -> Tensor<f32> {
    let tape = GradientTape::new();
    let hidden = x.matmul(w1.read()).tanh();
    let output = hidden.matmul(w2.read());
    let loss = (output - y).square().mean();
    let (g1, g2) = tape.gradient(&loss, (w1, w2));
    w1.assign_sub(0.1 * g1.unwrap());
    w2.assign_sub(0.1 * g2.unwrap());
    loss
}

fn main() {
    let w1 = Variable::new(tensor([[0.1, 0.2], [0.3, -0.4]]));
    let w2 = Variable::new(tensor([[0.5], [-0.5]]));
    for expected in [0.18429104, 0.07554699, 0.03020435] {
        let loss = step(&w1, &w2, tensor([[1.0, 2.0]]), tensor([[1.0]]));
        assert!((loss.item() - expected).abs() < 1e-5);
    }
    let w2 = w2.read().to_vec();
    assert!((w2[0] - 0.6146623).abs() < 1e-5);
    assert!((w2[1] + 0.6049891).abs() < 1e-5);
}
