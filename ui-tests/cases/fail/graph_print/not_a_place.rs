// Wanted: a print to the standard error output, by number as in a shell.
use graph_runtime::prelude::*;

#[graph_fn]
fn f(x: Tensor<i32>) -> Tensor<i32> {
    graph_print!("x is {x}"; to = 2);
    x
}

fn main() {}
