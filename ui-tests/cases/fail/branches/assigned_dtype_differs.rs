// Wanted: a float where the variable is an integer.
use graph_runtime::prelude::*;

#[graph_fn]
fn f(x: Tensor<f32>) -> Tensor<i32> {
    let mut y = tensor(0);
    if x > 0.0 {
        y = x;
    }
    y
}

fn main() {}
