// Wanted: a sum in a variable that isn't `mut`.
use graph_runtime::prelude::*;

#[graph_fn]
fn f(items: Tensor<i32>) -> Tensor<i32> {
    let sum = tensor(0);
    for item in items {
        sum += item;
    }
    sum
}

fn main() {}
