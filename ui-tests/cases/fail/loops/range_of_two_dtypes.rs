// Wanted: a range from a `usize` to a tensor.
use graph_runtime::prelude::*;

#[graph_fn]
fn f(start: usize, n: Tensor<i32>) -> Tensor<i32> {
    let mut x = tensor(1);
    for _ in start..n {
        x += 1;
    }
    x
}

fn main() {}
