// Wanted: to take the next number of a Rust iterator in each step of a tensor's loop.
use graph_runtime::prelude::*;

#[graph_fn]
fn weights(items: Tensor<i32>) -> Tensor<i32> {
    let mut rates = [1, 2, 3].into_iter();
    let mut sum = tensor(0);
    for item in items {
        sum += item * rates.next().unwrap_or(0);
    }
    sum
}

fn main() {}
