//! Reductions of an empty vector. From: conformance reduce_over_empty_float.
use graph_runtime::prelude::*;

#[graph_fn]
fn reductions(a: Tensor<f32>) -> [Tensor<f32>; 8] {
    [a.sum(), a.prod(), a.mean(), a.max(), a.min(), a.std(), a.logsumexp(), a.norm()]
}

fn main() {
    let empty: [f32; 0] = [];
    let [sum, prod, mean, max, min, std, logsumexp, norm] = reductions(tensor(empty));
    assert_eq!(sum.item(), 0.0);
    assert_eq!(prod.item(), 1.0);
    assert!(mean.item().is_nan());
    assert_eq!(max.item(), f32::NEG_INFINITY);
    assert_eq!(min.item(), f32::INFINITY);
    assert!(std.item().is_nan());
    assert_eq!(logsumexp.item(), f32::NEG_INFINITY);
    assert_eq!(norm.item(), 0.0);
}
