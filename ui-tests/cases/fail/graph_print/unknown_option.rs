// Wanted: three entries at each edge, but misspelled the option.
use graph_runtime::prelude::*;

#[graph_fn]
fn f(x: Tensor<i32>) -> Tensor<i32> {
    graph_print!("x is {x}"; sumarize = 3);
    x
}

fn main() {}
