// Wanted: to count down to zero.
use graph_runtime::prelude::*;

#[graph_fn]
fn f(mut x: Tensor<i32>) -> Tensor<i32> {
    while x {
        x -= 1;
    }
    x
}

fn main() {}
