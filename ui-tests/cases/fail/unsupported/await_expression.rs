// Wanted: to wait for a value inside a graph function.
use graph_runtime::prelude::*;

#[graph_fn]
fn f(x: Tensor<i32>) -> Tensor<i32> {
    let n = std::future::ready(1).await;
    x + n
}

fn main() {}
