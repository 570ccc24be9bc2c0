// Wanted: an `i32` that depends on a tensor.
use graph_runtime::prelude::*;

#[graph_fn]
fn f(x: Tensor<i32>) -> i32 {
    match x {
        0 => 1,
        _ => 2,
    }
}

fn main() {}
