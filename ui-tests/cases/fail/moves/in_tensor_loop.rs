// Wanted: to move a value in each step of a tensor's loop.
use graph_runtime::prelude::*;

#[graph_fn]
fn f(items: Tensor<i32>) -> Tensor<i32> {
    let names = vec!["a".to_string()];
    let mut sum = tensor(0);
    for item in items {
        sum += item * names.into_iter().count() as i32;
    }
    sum
}

fn main() {}
