// Wanted: to use a value that a branch of a Rust `if` has moved.
use graph_runtime::prelude::*;

#[graph_fn]
fn f(x: Tensor<i32>, names: Vec<String>, verbose: bool) -> Tensor<i32> {
    if verbose {
        drop(names);
    }
    x + names.len() as i32
}

fn main() {}
