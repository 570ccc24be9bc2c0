//! Clamping to 0..1 by nested ifs as a value: err_ternary_nested_not_converted (its eager meaning).
use graph_runtime::prelude::*;

#[graph_fn]
fn clamp01(x: Tensor<f32>) -> Tensor<f32> {
    if x > 1.0 {
        1.0
    } else if x < 0.0 {
        0.0
    } else {
        x
    }
}

fn main() {
    assert_eq!(clamp01(tensor(5.0)).item(), 1.0);
    assert_eq!(clamp01(tensor(-5.0)).item(), 0.0);
    assert_eq!(clamp01(tensor(0.5)).item(), 0.5);
}
