//! The gradient of softmax cross entropy. From: conformance grad_softmax_xent.
use graph_runtime::nn::losses;
use graph_runtime::prelude::*;

#[graph_fn]
fn logits_gradient(logits: Tensor<f32>, labels: Tensor<i32>) -> Tensor<f32> {
    let tape = GradientTape::new();
    tape.watch(&logits);
    let loss = losses::sparse_categorical_crossentropy_from_logits(&labels, &logits);
    tape.gradient(&loss, &logits).unwrap()
}

fn check(logits: [[f32; 3]; 2], labels: [i32; 2], expected: [f32; 6]) {
    let got = logits_gradient(tensor(logits), tensor(labels)).to_vec();
    for (g, e) in got.iter().zip(expected) {
        assert!((g - e).abs() < 1e-5, "{got:?}");
    }
}

fn main() {
    check(
        [[1e4, 0.0, -1e4], [0.0, 0.0, 0.0]],
        [2, 1],
        [1.0, 0.0, -1.0, 0.3333333, -0.6666667, 0.3333333],
    );
    check(
        [[1.0, 2.0, 3.0], [5.0, 5.0, 5.0]],
        [0, 2],
        [-0.90996945, 0.24472848, 0.66524094, 0.3333333, 0.3333333, -0.6666667],
    );
}
