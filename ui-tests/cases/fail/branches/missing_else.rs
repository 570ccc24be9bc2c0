// Wanted: a value of an `if` without an `else`.
use graph_runtime::prelude::*;

#[graph_fn]
fn f(x: Tensor<i32>) -> Tensor<i32> {
    let y: Tensor<i32> = if x > 0 { x * 2 };
    y
}

fn main() {}
