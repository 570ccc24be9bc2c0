// Wanted: a variable that all but one arm of an `else if` set.
use graph_runtime::prelude::*;

#[graph_fn]
fn f(x: Tensor<i32>) -> Tensor<i32> {
    let y;
    if x > 0 {
        y = x * 2;
    } else if x < 0 {
        y = x * 3;
    } else {
        graph_print!("zero");
    }
    y + 1
}

fn main() {}
