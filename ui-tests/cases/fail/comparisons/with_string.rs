// Wanted: to compare a number with a text.
use graph_runtime::prelude::*;

#[graph_fn]
fn f(x: Tensor<i32>, name: String) -> Tensor<bool> {
    x == name
}

fn main() {}
