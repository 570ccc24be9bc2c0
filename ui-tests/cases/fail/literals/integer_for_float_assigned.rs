// Wanted: to set a float tensor to zero.
use graph_runtime::prelude::*;

#[graph_fn]
fn f(mut x: Tensor<f32>) -> Tensor<f32> {
    if x < 0.0 {
        x = 0;
    }
    x
}

fn main() {}
