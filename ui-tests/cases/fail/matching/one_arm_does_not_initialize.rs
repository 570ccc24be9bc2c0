// Wanted: a variable that all but one arm set.
use graph_runtime::prelude::*;

#[graph_fn]
fn f(x: Tensor<i32>) -> Tensor<i32> {
    let y;
    match x {
        0 => y = x + 1,
        1 => y = x + 2,
        _ => graph_print!("other"),
    }
    y
}

fn main() {}
