// Wanted: to count the rows of a tensor.
use graph_runtime::prelude::*;

#[graph_fn]
fn count_positive(items: Tensor<i32>) -> i32 {
    let mut count = 0;
    for item in items {
        if item > 0 {
            count += 1;
        }
    }
    count
}

fn main() {}
