// Wanted: one value in a line, but gave two.
use graph_runtime::prelude::*;

#[graph_fn]
fn f(x: Tensor<i32>) -> Tensor<i32> {
    graph_print!("step {}", x, x + 1);
    x
}

fn main() {}
