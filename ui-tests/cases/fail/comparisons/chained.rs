// Wanted: Python's `0 < x < 10`.
use graph_runtime::prelude::*;

#[graph_fn]
fn f(x: Tensor<i32>) -> Tensor<i32> {
    if 0 < x < 10 { x } else { -x }
}

fn main() {}
