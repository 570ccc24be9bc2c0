// Wanted: a text that depends on a tensor.
use graph_runtime::prelude::*;

#[graph_fn]
fn f(x: Tensor<i32>) -> Tensor<i32> {
    let word = if x > 0 { "positive" } else { "negative" };
    println!("{word}");
    x
}

fn main() {}
