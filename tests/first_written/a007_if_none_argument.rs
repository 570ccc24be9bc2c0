//! An optional bias: conformance `if_none_argument`.
use graph_runtime::prelude::*;

#[graph_fn]
fn biased(mut x: Tensor<f32>, bias: Option<Tensor<f32>>) -> Tensor<f32> {
    if let Some(bias) = bias {
        x = x + bias;
    }
    if x > 0.0 {
        return x;
    }
    x.zeros_like() - 1.0
}

fn main() {
    assert_eq!(biased(tensor(2.0), None).item(), 2.0);
    assert_eq!(biased(tensor(2.0), Some(tensor(3.0))).item(), 5.0);
    assert_eq!(biased(tensor(-2.0), None).item(), -1.0);
    assert_eq!(biased(tensor(-2.0), Some(tensor(3.0))).item(), 1.0);
}
