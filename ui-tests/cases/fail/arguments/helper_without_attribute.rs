// Wanted: a helper with control flow of its own, but without the attribute.
use graph_runtime::prelude::*;

fn helper(x: Tensor<i32>) -> Tensor<i32> {
    if x > 0 { x } else { -x }
}

#[graph_fn]
fn f(x: Tensor<i32>) -> Tensor<i32> {
    helper(x) + 1
}

fn main() {}
