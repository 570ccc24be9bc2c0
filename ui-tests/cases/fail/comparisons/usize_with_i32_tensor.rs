// Wanted: to compare a loop counter with a tensor.
use graph_runtime::prelude::*;

#[graph_fn]
fn f(x: Tensor<i32>, n: usize) -> Tensor<i32> {
    if x > n { x } else { -x }
}

fn main() {}
