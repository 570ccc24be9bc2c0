//! Steps of gradient descent on two variables. From: conformance grad_wrt_variables_and_update.
use graph_runtime::prelude::*;

#[graph_fn]
fn step(w: &Variable<f32>, b: &Variable<f32>, x: Tensor<f32>, y: Tensor<f32>) -> Tensor<f32> {
    let tape = GradientTape::new();
    let e = (w.read() * x).sum() + b.read() - y;
    let loss = e * e;
    let (gw, gb) = tape.gradient(&loss, (w, b));
    w.assign_sub(0.1 * gw.unwrap());
    b.assign_sub(0.1 * gb.unwrap());
    loss
}

fn main() {
    let w = Variable::new(tensor([1.0, -1.0]));
    let b = Variable::new(tensor(0.5));
    for (x, y, expected) in [([1.0, 2.0], 1.0, 2.25), ([0.0, 1.0], -1.0, 1.96), ([1.0, 1.0], 0.0, 1.2995996)] {
        let loss = step(&w, &b, tensor(x), tensor(y)).item();
        assert!((loss - expected).abs() < 1e-5);
    }
    let end = w.read().to_vec();
    assert!((end[0] - 1.072).abs() < 1e-5 && (end[1] + 0.908).abs() < 1e-5);
    assert!((b.read().item() - 0.292).abs() < 1e-5);
}
