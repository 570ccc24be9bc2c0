//! Activations chosen by an enum: relu, leaky relu, gelu, hard sigmoid (textbook: activation functions).
use graph_runtime::prelude::*;

#[derive(Clone, Copy, TraceType)]
enum Kind {
    Relu,
    Leaky(f32),
    Gelu,
    HardSigmoid,
}

#[graph_fn]
fn activate(x: Tensor<f32>, kind: Kind) -> Tensor<f32> {
    match kind {
        Kind::Relu => x.maximum(0.0),
        Kind::Leaky(slope) => select(x > 0.0, x, slope * x),
        Kind::Gelu => 0.5 * x * (1.0 + (0.7978846 * (x + 0.044715 * x.powi(3))).tanh()),
        Kind::HardSigmoid => (0.25 * x + 0.5).clamp(0.0, 1.0),
    }
}

fn check(kind: Kind, expected: [f32; 5]) {
    let y = activate(tensor([-2.0, -1.0, 0.0, 1.0, 2.0]), kind).to_vec();
    for (got, want) in y.iter().zip(expected) {
        assert!((got - want).abs() < 1e-5);
    }
}

fn main() {
    check(Kind::Relu, [0.0, 0.0, 0.0, 1.0, 2.0]);
    check(Kind::Leaky(0.1), [-0.2, -0.1, 0.0, 1.0, 2.0]);
    check(Kind::Gelu, [-0.0454023, -0.158808, 0.0, 0.841192, 1.9545977]);
    check(Kind::HardSigmoid, [0.0, 0.25, 0.5, 0.75, 1.0]);
}
