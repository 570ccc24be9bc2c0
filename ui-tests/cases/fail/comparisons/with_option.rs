// Wanted: Python's habit, `x == None`.
use graph_runtime::prelude::*;

#[graph_fn]
fn f(x: Tensor<i32>) -> Tensor<i32> {
    if x == None { x } else { -x }
}

fn main() {}
