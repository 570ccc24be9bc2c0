// Wanted: Python's habit, a value that may be missing as a condition.
use graph_runtime::prelude::*;

#[graph_fn]
fn f(x: Tensor<i32>, bias: Option<Tensor<i32>>) -> Tensor<i32> {
    if bias { x + 1 } else { x }
}

fn main() {}
