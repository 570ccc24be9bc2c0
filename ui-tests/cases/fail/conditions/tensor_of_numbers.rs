// Wanted: Python's habit, a number as a condition.
use graph_runtime::prelude::*;

#[graph_fn]
fn f(x: Tensor<i32>) -> Tensor<i32> {
    if x { x } else { -x }
}

fn main() {}
