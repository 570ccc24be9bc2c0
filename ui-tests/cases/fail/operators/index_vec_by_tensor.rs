// Wanted: to pick an item of a Rust `Vec` by a tensor.
use graph_runtime::prelude::*;

#[graph_fn]
fn f(items: Vec<i32>, i: Tensor<i32>) -> i32 {
    items[i]
}

fn main() {}
