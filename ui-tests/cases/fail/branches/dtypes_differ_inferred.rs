// Wanted: an integer in one branch, a float in the other, under one name.
use graph_runtime::prelude::*;

#[graph_fn]
fn f(c: Tensor<bool>, n: Tensor<i32>, x: Tensor<f32>) -> Tensor<f32> {
    let y = if c { x } else { n };
    y + 1.0
}

fn main() {}
