// Wanted: numbers beside tensors of any numbers.
use graph_runtime::prelude::*;

#[graph_fn]
fn f<T: Number>(x: Tensor<T>) -> Tensor<T> {
    if x > 1 { x * 2 } else { x }
}

fn main() {}
