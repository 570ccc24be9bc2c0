//! A dense layer trained by Adam from a dataset learns y = 2 x + 1 (textbook: linear regression).
use graph_runtime::nn::{Adam, Dense, Module};
use graph_runtime::prelude::*;

#[derive(Module)]
struct Line {
    dense: Dense,
}

#[graph_fn]
fn train(model: &Line, adam: &Adam, x: Tensor<f32>, y: Tensor<f32>, epochs: Tensor<i32>) -> Tensor<f32> {
    let mut loss = tensor(f32::INFINITY);
    for _epoch in 0..epochs {
        let tape = GradientTape::new();
        let predicted = model.dense.call(&x);
        loss = (predicted - y).square().mean();
        if loss < 1e-8 {
            return loss;
        }
        adam.apply(&tape.gradient(&loss, model), model);
    }
    loss
}

#[graph_fn]
fn predict(model: &Line, x: Tensor<f32>) -> Tensor<f32> {
    model.dense.call(x)
}

fn main() {
    random::set_seed(1);
    let model = Line { dense: Dense::new(1, 1) };
    let adam = Adam::new(&model).learning_rate(0.05);
    let x = tensor([[-1.0], [0.0], [1.0], [2.0]]);
    let y = tensor([[-1.0], [1.0], [3.0], [5.0]]);
    let loss = train(&model, &adam, x, y, tensor(2000));
    assert!(loss.item() < 1e-4);
    assert!((predict(&model, tensor([[10.0]])).to_vec()[0] - 21.0).abs() < 0.1);
}
