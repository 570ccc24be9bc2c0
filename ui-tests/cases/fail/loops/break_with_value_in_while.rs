// Wanted: a value of a `while`.
use graph_runtime::prelude::*;

#[graph_fn]
fn f(mut x: Tensor<i32>) -> Tensor<i32> {
    while x > 0 {
        x -= 1;
        if x == 3 {
            break x;
        }
    }
    x
}

fn main() {}
