// Wanted: a graph function that the caller must call with care.
use graph_runtime::prelude::*;

#[graph_fn]
unsafe fn f(x: Tensor<i32>) -> Tensor<i32> {
    x + 1
}

fn main() {}
