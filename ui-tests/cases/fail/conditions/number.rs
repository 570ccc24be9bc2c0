// Wanted: C's habit, a number as a condition.
use graph_runtime::prelude::*;

#[graph_fn]
fn f(n: i32, x: Tensor<i32>) -> Tensor<i32> {
    if n { x } else { -x }
}

fn main() {}
