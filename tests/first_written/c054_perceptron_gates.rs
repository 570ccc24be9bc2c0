//! A perceptron learns the gates AND and OR, row by row (textbook: Rosenblatt's perceptron).
use graph_runtime::prelude::*;

#[graph_fn]
fn learn(inputs: Tensor<f32>, targets: Tensor<f32>) -> Tensor<f32> {
    let mut w = tensor([0.0, 0.0]);
    let mut b = tensor(0.0);
    for _epoch in 0..20 {
        for (x, t) in inputs.iter().zip(targets) {
            let output = if (w * x).sum() + b > 0.0 { 1.0 } else { 0.0 };
            let error = t - output;
            w += error * x;
            b += error;
        }
    }
    select(inputs.matvec(w) + b > 0.0, 1.0, 0.0)
}

fn main() {
    let inputs = tensor([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]]);
    let and = tensor([0.0, 0.0, 0.0, 1.0]);
    let or = tensor([0.0, 1.0, 1.0, 1.0]);
    assert_eq!(learn(inputs.clone(), and).to_vec(), [0.0, 0.0, 0.0, 1.0]);
    assert_eq!(learn(inputs, or).to_vec(), [0.0, 1.0, 1.0, 1.0]);
}
