// Wanted: a variable that doesn't exist.
use graph_runtime::prelude::*;

#[graph_fn]
fn f(x: Tensor<i32>) -> Tensor<i32> {
    graph_print!("loss {los}");
    x
}

fn main() {}
