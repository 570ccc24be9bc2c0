// Wanted: a flag that ends the loop.
use graph_runtime::prelude::*;

#[graph_fn]
fn first_above(items: Tensor<i32>, limit: Tensor<i32>) -> Tensor<i32> {
    let mut found = tensor(0);
    let mut done = false;
    for item in items {
        if item > limit && !done {
            found = item;
            done = true;
        }
    }
    found
}

fn main() {}
