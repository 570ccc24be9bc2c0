//! Where a branch does not use the input, its gradient is zero. From: conformance grad_branch_ignores_input.
use graph_runtime::prelude::*;

#[graph_fn]
fn slope(x: Tensor<f32>) -> Tensor<f32> {
    let tape = GradientTape::new();
    tape.watch(&x);
    let y = if x > 0.0 { x * 2.0 } else { tensor(7.0) };
    tape.gradient(&y, &x).unwrap()
}

fn main() {
    assert_eq!(slope(tensor(3.0)).item(), 2.0);
    assert_eq!(slope(tensor(-3.0)).item(), 0.0);
}
