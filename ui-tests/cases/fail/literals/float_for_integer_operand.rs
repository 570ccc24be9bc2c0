// Wanted: to halve an integer tensor.
use graph_runtime::prelude::*;

#[graph_fn]
fn f(x: Tensor<i32>) -> Tensor<i32> {
    x * 0.5
}

fn main() {}
