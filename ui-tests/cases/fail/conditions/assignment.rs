// Wanted: a comparison, but wrote an assignment.
use graph_runtime::prelude::*;

#[graph_fn]
fn f(mut x: Tensor<i32>, y: Tensor<i32>) -> Tensor<i32> {
    if x = y { x } else { y }
}

fn main() {}
