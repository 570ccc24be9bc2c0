//! Comparisons with NaN and infinities, value by value. From: conformance nan_comparisons.
use graph_runtime::prelude::*;

#[graph_fn]
fn nan_comparisons(
    a: Tensor<f32>,
    b: Tensor<f32>,
) -> (Tensor<bool>, Tensor<bool>, Tensor<bool>, Tensor<bool>, Tensor<bool>, Tensor<bool>, Tensor<bool>) {
    (a < b, a <= b, a > b, a >= b, a == b, a != b, a.is_nan())
}

fn main() {
    let nan = f32::NAN;
    let inf = f32::INFINITY;

    let (lt, le, gt, ge, eq, ne, is_nan) = nan_comparisons(tensor([nan, nan, 1.0]), tensor([nan, 1.0, nan]));
    for all_false in [lt, le, gt, ge, eq] {
        assert_eq!(all_false.to_vec(), [false, false, false]);
    }
    assert_eq!(ne.to_vec(), [true, true, true]);
    assert_eq!(is_nan.to_vec(), [true, true, false]);

    let (lt, le, gt, ge, eq, ne, is_nan) = nan_comparisons(tensor([0.0, inf, -inf]), tensor([-0.0, inf, inf]));
    assert_eq!(lt.to_vec(), [false, false, true]);
    assert_eq!(le.to_vec(), [true, true, true]);
    assert_eq!(gt.to_vec(), [false, false, false]);
    assert_eq!(ge.to_vec(), [true, true, false]);
    assert_eq!(eq.to_vec(), [true, true, false]);
    assert_eq!(ne.to_vec(), [false, false, true]);
    assert_eq!(is_nan.to_vec(), [false, false, false]);
}
