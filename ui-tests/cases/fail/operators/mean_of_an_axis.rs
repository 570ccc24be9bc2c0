// Wanted: the mean along the last axis, not of all values.
use graph_runtime::prelude::*;

#[graph_fn]
fn normed(x: Tensor<f32>) -> Tensor<f32> {
    &x - x.mean(-1)
}

#[graph_fn]
fn columns(x: Tensor<i32>) -> Tensor<i32> {
    x.sum(0)
}

#[graph_fn]
fn kept(x: Tensor<f32>) -> Tensor<f32> {
    &x / x.max_axis(0, true)
}

fn main() {}
