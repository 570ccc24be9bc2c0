// Wanted: to compare Rust numbers of two types.
use graph_runtime::prelude::*;

#[graph_fn]
fn f(x: Tensor<i32>, n: usize, m: i32) -> Tensor<i32> {
    if n > m { x } else { -x }
}

fn main() {}
