// Wanted: a number that the element type can't hold.
use graph_runtime::prelude::*;

#[graph_fn]
fn f(x: Tensor<u8>) -> Tensor<u8> {
    x + 300
}

fn main() {}
