// Wanted: to leave an `if`.
use graph_runtime::prelude::*;

#[graph_fn]
fn f(x: Tensor<i32>) -> Tensor<i32> {
    if x > 0 {
        break;
    }
    x
}

fn main() {}
