//! A branch keeps the gradient of a root finite at zero. From: conformance grad_cond_avoids_nan.
use graph_runtime::prelude::*;

#[graph_fn]
fn safe_sqrt(v: Tensor<f32>) -> Tensor<f32> {
    if v > 0.0 {
        return v.sqrt();
    }
    v * 0.0
}

#[graph_fn]
fn slope(x: Tensor<f32>) -> Tensor<f32> {
    let tape = GradientTape::new();
    tape.watch(&x);
    let y = safe_sqrt(x);
    tape.gradient(&y, &x).unwrap()
}

fn main() {
    assert_eq!(slope(tensor(4.0)).item(), 0.25);
    assert_eq!(slope(tensor(0.0)).item(), 0.0);
    assert_eq!(slope(tensor(-1.0)).item(), 0.0);
}
