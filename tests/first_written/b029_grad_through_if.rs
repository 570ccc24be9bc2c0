//! The gradient of a function of two branches. From: conformance grad_through_if.
use graph_runtime::prelude::*;

#[graph_fn]
fn value_and_gradient(x: Tensor<f32>) -> (Tensor<f32>, Tensor<f32>) {
    let tape = GradientTape::new();
    tape.watch(&x);
    let y = if x > 0.0 { x * x } else { -2.0 * x };
    let dy = tape.gradient(&y, &x).unwrap();
    (y, dy)
}

fn main() {
    for (x, value, slope) in [(3.0, 9.0, 6.0), (-3.0, 6.0, -2.0), (0.0, 0.0, -2.0)] {
        let (y, dy) = value_and_gradient(tensor(x));
        assert_eq!(y.item(), value);
        assert_eq!(dy.item(), slope);
    }
}
