// Wanted: a typed variable with a literal of another type.
use graph_runtime::prelude::*;

#[graph_fn]
fn f(x: Tensor<i32>) -> Tensor<i32> {
    let half: Tensor<i32> = 0.5;
    x + half
}

fn main() {}
