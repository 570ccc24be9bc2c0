// Wanted: to leave early, without the value that is due.
use graph_runtime::prelude::*;

#[graph_fn]
fn f(x: Tensor<i32>) -> Tensor<i32> {
    if x < 0 {
        return;
    }
    x
}

fn main() {}
