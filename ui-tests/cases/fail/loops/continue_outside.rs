// Wanted: to skip the rest of a function.
use graph_runtime::prelude::*;

#[graph_fn]
fn f(x: Tensor<i32>) -> Tensor<i32> {
    if x > 0 {
        continue;
    }
    x
}

fn main() {}
