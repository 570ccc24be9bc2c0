// Wanted: Python's habit, to use behind a loop what it sets.
use graph_runtime::prelude::*;

#[graph_fn]
fn f(items: Tensor<i32>) -> Tensor<i32> {
    let last;
    for item in items {
        last = item;
    }
    last
}

fn main() {}
