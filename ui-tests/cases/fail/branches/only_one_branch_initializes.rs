// Wanted: Python's habit, a variable that only one branch sets.
use graph_runtime::prelude::*;

#[graph_fn]
fn f(x: Tensor<i32>) -> Tensor<i32> {
    let y;
    if x > 0 {
        y = x * 2;
    }
    y
}

fn main() {}
