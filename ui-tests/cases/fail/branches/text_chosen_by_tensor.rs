// Wanted: a text that depends on a tensor, as a `&str`.
use graph_runtime::prelude::*;

#[graph_fn]
fn f(x: Tensor<i32>) -> Tensor<i32> {
    let word: &str = if x > 0 { "positive" } else { "negative" };
    println!("{word}");
    x
}

fn main() {}
