// Wanted: a Rust number that depends on a tensor.
use graph_runtime::prelude::*;

#[graph_fn]
fn f(x: Tensor<i32>) -> i32 {
    if x > 0 { 1 } else { -1 }
}

fn main() {}
