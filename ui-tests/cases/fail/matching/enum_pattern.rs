// Wanted: to match a tensor with `Some`.
use graph_runtime::prelude::*;

#[graph_fn]
fn f(x: Tensor<i32>) -> Tensor<i32> {
    match x {
        Some(y) => y,
        None => x,
    }
}

fn main() {}
