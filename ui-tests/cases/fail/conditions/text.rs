// Wanted: Python's habit, a text as a condition.
use graph_runtime::prelude::*;

#[graph_fn]
fn f(x: Tensor<i32>, name: &str) -> Tensor<i32> {
    if name { x + 1 } else { x }
}

fn main() {}
