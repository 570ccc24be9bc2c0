// Wanted: Python's habit, to assign a variable again.
use graph_runtime::prelude::*;

#[graph_fn]
fn f(x: Tensor<i32>) -> Tensor<i32> {
    if x < 0 {
        x = -x;
    }
    x
}

fn main() {}
