//! Doubles x and flips the sign of a negative result: conformance `if_no_else_keeps_value`.
use graph_runtime::prelude::*;

#[graph_fn]
fn if_no_else_keeps_value(x: Tensor<f32>) -> Tensor<f32> {
    let mut y = x * 2.0;
    if x < 0.0 {
        y = -y;
    }
    y
}

fn main() {
    assert_eq!(if_no_else_keeps_value(tensor(2.5)).item(), 5.0);
    assert_eq!(if_no_else_keeps_value(tensor(0.0)).item(), 0.0);
    assert_eq!(if_no_else_keeps_value(tensor(-1.5)).item(), 3.0);
}
