//! Fits y = 2x + 1 by gradient descent in one graph: textbook: linear regression.
use graph_runtime::prelude::*;

#[graph_fn]
fn fit(w: &Variable<f32>, b: &Variable<f32>, x: Tensor<f32>, y: Tensor<f32>, steps: Tensor<i32>) -> Tensor<f32> {
    let mut loss = tensor(0.0);
    for step in 0..steps {
        let tape = GradientTape::new();
        let error = x * w.read() + b.read() - y;
        loss = (error * error).mean();
        let (dw, db) = tape.gradient(&loss, (w, b));
        w.assign_sub(dw * 0.1);
        b.assign_sub(db * 0.1);
        if step % 100 == 0 {
            graph_print!("step {step}: {loss}");
        }
    }
    loss
}

fn main() {
    let w = Variable::new(tensor(0.0));
    let b = Variable::new(tensor(0.0));
    let loss = fit(&w, &b, tensor([0.0, 1.0, 2.0, 3.0]), tensor([1.0, 3.0, 5.0, 7.0]), tensor(500));
    assert!(loss.item() < 1e-4);
    assert!((w.read().item() - 2.0).abs() < 0.01);
    assert!((b.read().item() - 1.0).abs() < 0.01);
}
