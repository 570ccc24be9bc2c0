//! Ten times 0.1 in double precision is not one. From: conformance dtype_float64_precision_loop.
use graph_runtime::prelude::*;

#[graph_fn]
fn repeated_sum(step: Tensor<f64>, n: Tensor<i32>) -> (Tensor<f64>, Tensor<bool>, Tensor<f32>) {
    let mut s = tensor(0.0f64);
    for _ in 0..n {
        s += step;
    }
    (s, s == 1.0, s.cast::<f32>())
}

fn main() {
    let (s, is_one, single) = repeated_sum(tensor(0.1), tensor(10));
    assert_eq!(s.item(), 0.9999999999999999);
    assert_eq!(is_one.item(), false);
    assert_eq!(single.item(), 1.0f32);

    let (s, _, _) = repeated_sum(tensor(0.1), tensor(0));
    assert_eq!(s.item(), 0.0);

    let (s, _, single) = repeated_sum(tensor(1e16), tensor(3));
    assert_eq!(s.item(), 3e16);
    assert_eq!(single.item() as f64, 3.000000081769267e16);
}
