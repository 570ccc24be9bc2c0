// Wanted: a guard that is a number.
use graph_runtime::prelude::*;

#[graph_fn]
fn f(x: Tensor<i32>, y: Tensor<i32>) -> Tensor<i32> {
    match x {
        0 if y => x + 1,
        _ => x,
    }
}

fn main() {}
