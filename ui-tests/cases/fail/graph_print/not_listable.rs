// Wanted: to print a struct that can't be printed, behind a text.
use graph_runtime::prelude::*;

struct Secret;

#[graph_fn]
fn f(x: Tensor<i32>) -> Tensor<i32> {
    let secret = Secret;
    graph_print!("the secret of", x, secret);
    x
}

fn main() {}
