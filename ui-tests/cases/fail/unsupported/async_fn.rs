// Wanted: a graph function that waits.
use graph_runtime::prelude::*;

#[graph_fn]
async fn f(x: Tensor<i32>) -> Tensor<i32> {
    x + 1
}

fn main() {}
