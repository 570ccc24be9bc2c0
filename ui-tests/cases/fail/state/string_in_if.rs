// Wanted: a word that depends on a tensor.
use graph_runtime::prelude::*;

#[graph_fn]
fn sign(x: Tensor<i32>) -> Tensor<i32> {
    let mut word = String::from("none");
    if x > 0 {
        word = String::from("positive");
    }
    println!("{word}");
    x
}

fn main() {}
