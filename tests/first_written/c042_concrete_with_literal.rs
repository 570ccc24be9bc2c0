//! A concrete function with a Rust number in its signature: seed2_pow_literal.
use graph_runtime::prelude::*;

#[graph_fn]
fn pow(a: Tensor<f32>, b: i32) -> Tensor<f32> {
    a.powi(b)
}

fn main() {
    let square = pow::concrete(TensorSpec::new(&[]), 2);
    assert!((square.call((tensor(10.0), 2)).item() - 100.0).abs() < 1e-3);
}
