// Wanted: a print to the standard error output; said so twice.
use graph_runtime::prelude::*;

#[graph_fn]
fn f(x: Tensor<i32>) -> Tensor<i32> {
    graph_print!(x; to = stderr, to = stdout);
    x
}

fn main() {}
