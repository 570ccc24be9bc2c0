// Wanted: Python's `for i in range(n)`.
use graph_runtime::prelude::*;

#[graph_fn]
fn f(mut x: Tensor<i32>, n: i32) -> Tensor<i32> {
    for _ in n {
        x += 1;
    }
    x
}

fn main() {}
