// Wanted: the branch's value, but wrote `;` behind it.
use graph_runtime::prelude::*;

#[graph_fn]
fn f(x: Tensor<i32>) -> Tensor<i32> {
    if x > 0 {
        x * 2;
    } else {
        x * 3
    }
}

fn main() {}
