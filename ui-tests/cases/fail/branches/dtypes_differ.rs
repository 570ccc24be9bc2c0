// Wanted: an integer in one branch, a float in the other.
use graph_runtime::prelude::*;

#[graph_fn]
fn f(c: Tensor<bool>, n: Tensor<i32>, x: Tensor<f32>) -> Tensor<f32> {
    if c { n } else { x }
}

fn main() {}
