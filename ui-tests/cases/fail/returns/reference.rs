// Wanted: to return a reference.
use graph_runtime::prelude::*;

#[graph_fn]
fn f(x: &Tensor<i32>) -> &Tensor<i32> {
    x
}

fn main() {}
