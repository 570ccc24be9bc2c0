// Wanted: to match a tensor of floats.
use graph_runtime::prelude::*;

#[graph_fn]
fn f(x: Tensor<f32>) -> Tensor<f32> {
    match x {
        0.0 => x + 1.0,
        _ => x,
    }
}

fn main() {}
