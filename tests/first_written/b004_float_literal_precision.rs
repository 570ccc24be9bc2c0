//! A literal takes the precision of the tensor beside it. From: conformance float_literal_precision.
use graph_runtime::prelude::*;

#[graph_fn]
fn float_literal_precision(
    a: Tensor<f32>,
    b: Tensor<f64>,
) -> (Tensor<f32>, Tensor<f64>, Tensor<f32>, Tensor<f64>, Tensor<bool>) {
    (a * 0.1, b * 0.1, a + 1e-8, b + 1e-8, a.cast::<f64>() == b)
}

fn main() {
    let (p, q, r, s, same) = float_literal_precision(tensor(1.0f32), tensor(1.0f64));
    assert_eq!(p.item(), 0.1f32);
    assert_eq!(q.item(), 0.1f64);
    assert_eq!(r.item(), 1.0);
    assert_eq!(s.item(), 1.00000001);
    assert!(same.item());

    let (p, q, r, s, same) = float_literal_precision(tensor(0.1f32), tensor(0.1f64));
    assert_eq!(p.item() as f64, 0.010000000707805157);
    assert_eq!(q.item(), 0.010000000000000002);
    assert_eq!(r.item() as f64, 0.10000000894069672);
    assert_eq!(s.item(), 0.10000001);
    assert!(!same.item());
}
