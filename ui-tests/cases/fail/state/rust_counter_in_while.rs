// Wanted: to count the steps of a loop that a tensor decides about.
use graph_runtime::prelude::*;

#[graph_fn]
fn steps(mut x: Tensor<i32>) -> Tensor<i32> {
    let mut count = 0usize;
    while x > 1 {
        x = x / 2;
        count += 1;
    }
    println!("{count}");
    x
}

fn main() {}
