// Wanted: the value of the last line, but wrote `;` behind it.
use graph_runtime::prelude::*;

#[graph_fn]
fn f(x: Tensor<i32>) -> Tensor<i32> {
    x + 1;
}

fn main() {}
