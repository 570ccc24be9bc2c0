// Wanted: a call with a specification instead of a tensor.
use graph_runtime::prelude::*;

#[graph_fn]
fn double(x: Tensor<i32>) -> Tensor<i32> {
    x * 2
}

fn main() {
    double(TensorSpec::new(&[None]));
}
