//! Linear regression with a GradientTape, until the loss is small (textbook: least squares).
use graph_runtime::prelude::*;

#[graph_fn]
fn fit(x: Tensor<f32>, y: Tensor<f32>) -> (Tensor<f32>, Tensor<i32>) {
    let mut w = tensor([0.0, 0.0]);
    let mut loss = tensor(1.0);
    let mut steps = tensor(0);
    while loss > 1e-6 && steps < 5000 {
        let tape = GradientTape::new();
        tape.watch(&w);
        loss = (x.matvec(w) - y).square().mean();
        let gradient = tape.gradient(&loss, &w).unwrap();
        w -= 0.1 * gradient;
        steps += 1;
    }
    (w, steps)
}

fn main() {
    // y = 3 a - 2 b
    let x = tensor([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0], [2.0, 1.0]]);
    let (w, steps) = fit(x, tensor([3.0, -2.0, 1.0, 4.0]));
    let w = w.to_vec();
    assert!((w[0] - 3.0).abs() < 1e-2);
    assert!((w[1] + 2.0).abs() < 1e-2);
    assert!(steps.item() < 5000);
}
