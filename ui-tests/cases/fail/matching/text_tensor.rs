// Wanted: to match a tensor of text.
use graph_runtime::prelude::*;

#[graph_fn]
fn f(x: Tensor<String>) -> Tensor<i32> {
    match x {
        "one" => tensor(1),
        _ => tensor(0),
    }
}

fn main() {}
