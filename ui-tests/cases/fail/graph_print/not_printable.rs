// Wanted: to print a struct that can't be printed.
use graph_runtime::prelude::*;

struct Secret;

#[graph_fn]
fn f(x: Tensor<i32>) -> Tensor<i32> {
    let secret = Secret;
    graph_print!("{} {}", x, secret);
    x
}

fn main() {}
