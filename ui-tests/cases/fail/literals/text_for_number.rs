// Wanted: a text where the tensor holds numbers.
use graph_runtime::prelude::*;

#[graph_fn]
fn f(x: Tensor<i32>) -> Tensor<i32> {
    if x > 0 { x } else { "none" }
}

fn main() {}
