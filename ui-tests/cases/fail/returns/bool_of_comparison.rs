// Wanted: a `bool` of a comparison of tensors.
use graph_runtime::prelude::*;

#[graph_fn]
fn is_positive(x: Tensor<i32>) -> bool {
    x > 0
}

fn main() {}
