// Wanted: an `i32` that depends on a tensor.
use graph_runtime::prelude::*;

#[graph_fn]
fn f(t: Tensor<bool>, x: Tensor<i32>) -> Tensor<i32> {
    let n: i32 = if t { 1 } else { 2 };
    x * n
}

fn main() {}
