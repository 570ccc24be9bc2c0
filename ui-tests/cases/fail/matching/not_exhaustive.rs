// Wanted: a `match` that forgets the other numbers.
use graph_runtime::prelude::*;

#[graph_fn]
fn f(x: Tensor<i32>) -> Tensor<i32> {
    match x {
        0 => x + 1,
        1 => x + 2,
    }
}

fn main() {}
