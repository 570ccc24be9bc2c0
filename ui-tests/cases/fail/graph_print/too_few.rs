// Wanted: two values in a line, but gave one.
use graph_runtime::prelude::*;

#[graph_fn]
fn f(x: Tensor<i32>) -> Tensor<i32> {
    graph_print!("{} of {}", x);
    x
}

fn main() {}
