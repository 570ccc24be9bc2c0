// Wanted: Python's habit, to use behind an `if` what its branches declare.
use graph_runtime::prelude::*;

#[graph_fn]
fn f(x: Tensor<i32>) -> Tensor<i32> {
    if x > 0 {
        let y = x * 2;
    } else {
        let y = x * 3;
    }
    y
}

fn main() {}
