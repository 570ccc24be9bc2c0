//! An enum chooses the activation while tracing: textbook: activation functions.
use graph_runtime::prelude::*;

#[derive(Clone, Copy, TraceType)]
enum Activation {
    Relu,
    LeakyRelu(f32),
    Linear,
}

#[graph_fn]
fn activate(x: Tensor<f32>, activation: Activation) -> Tensor<f32> {
    match activation {
        Activation::Relu => x.relu(),
        Activation::LeakyRelu(slope) => {
            if x > 0.0 {
                x
            } else {
                x * slope
            }
        }
        Activation::Linear => x,
    }
}

fn main() {
    assert_eq!(activate(tensor(-2.0), Activation::Relu).item(), 0.0);
    assert_eq!(activate(tensor(-2.0), Activation::LeakyRelu(0.5)).item(), -1.0);
    assert_eq!(activate(tensor(3.0), Activation::LeakyRelu(0.5)).item(), 3.0);
    assert_eq!(activate(tensor(-2.0), Activation::Linear).item(), -2.0);
    assert_eq!(activate::function().trace_count(), 3);
}
