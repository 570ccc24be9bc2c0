// Wanted: a whole number where the element type is a parameter.
use graph_runtime::prelude::*;

#[graph_fn]
fn doubled<T: Number>(x: Tensor<T>) -> Tensor<T> {
    x * 2
}

fn main() {}
