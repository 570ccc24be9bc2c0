// Wanted: Python's habit, to print a value as it is.
use graph_runtime::prelude::*;

#[graph_fn]
fn f(x: Tensor<i32>) -> Tensor<i32> {
    graph_print!(x);
    x
}

fn main() {}
