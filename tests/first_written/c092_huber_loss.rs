//! Huber's loss element by element with an if, and its gradient by a tape (textbook: robust regression).
use graph_runtime::prelude::*;

#[graph_fn]
fn huber(errors: Tensor<f32>, delta: f32) -> Tensor<f32> {
    let mut total = tensor(0.0);
    for e in errors {
        let size = e.abs();
        total += if size <= delta {
            0.5 * e * e
        } else {
            delta * (size - 0.5 * delta)
        };
    }
    total
}

#[graph_fn]
fn huber_gradient(errors: Tensor<f32>) -> (Tensor<f32>, Tensor<f32>) {
    let tape = GradientTape::new();
    tape.watch(&errors);
    let loss = huber(errors, 1.0);
    let gradient = tape.gradient(&loss, &errors).unwrap();
    (loss, gradient)
}

fn main() {
    let (loss, gradient) = huber_gradient(tensor([0.5, -3.0, 1.0, 2.0]));
    assert_eq!(loss.item(), 4.625);
    assert_eq!(gradient.to_vec(), [0.5, -1.0, 1.0, 1.0]);
}
