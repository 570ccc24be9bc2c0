// Wanted: how many values of a mask are true, and what it leaves of a tensor.
use graph_runtime::prelude::*;

#[graph_fn]
fn count(mask: Tensor<bool>) -> Tensor<i64> {
    mask.sum()
}

#[graph_fn]
fn masked(mask: Tensor<bool>, x: Tensor<f32>) -> Tensor<f32> {
    mask * x
}

fn main() {}
