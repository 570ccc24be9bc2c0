// Wanted: a future of a tensor.
use graph_runtime::prelude::*;

#[graph_fn]
fn f(x: Tensor<i32>) -> Tensor<i32> {
    let later = async { 1 };
    drop(later);
    x
}

fn main() {}
