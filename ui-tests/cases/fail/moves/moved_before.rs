// Wanted: to use a value after it was moved, as plain Rust refuses it, too.
use graph_runtime::prelude::*;

#[graph_fn]
fn f(x: Tensor<i32>, names: Vec<String>) -> Tensor<i32> {
    let first = names;
    x + (names.len() + first.len()) as i32
}

fn main() {}
