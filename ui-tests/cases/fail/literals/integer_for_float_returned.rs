// Wanted: to return a float zero.
use graph_runtime::prelude::*;

#[graph_fn]
fn f(x: Tensor<f32>) -> Tensor<f32> {
    if x < 0.0 {
        return 0;
    }
    x
}

fn main() {}
