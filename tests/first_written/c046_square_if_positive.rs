//! A parameter changed in both branches, in one to a literal: seed3_square_if_positive.
use graph_runtime::prelude::*;

#[graph_fn]
fn square_if_positive(mut x: Tensor<i32>) -> Tensor<i32> {
    if x > 0 {
        x = x * x;
    } else {
        x = 0;
    }
    x
}

fn main() {
    assert_eq!(square_if_positive(tensor(2)).item(), 4);
    assert_eq!(square_if_positive(tensor(-2)).item(), 0);
    assert_eq!(square_if_positive(tensor(0)).item(), 0);
}
