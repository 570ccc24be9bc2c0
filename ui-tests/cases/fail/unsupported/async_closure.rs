// Wanted: a closure that waits.
use graph_runtime::prelude::*;

#[graph_fn]
fn f(x: Tensor<i32>) -> Tensor<i32> {
    let later = async |n: i32| n + 1;
    drop(later(1));
    x
}

fn main() {}
