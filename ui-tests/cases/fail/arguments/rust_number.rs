// Wanted: to call a graph function with a Rust number where it takes a tensor.
use graph_runtime::prelude::*;

#[graph_fn]
fn double(x: Tensor<i32>) -> Tensor<i32> {
    x * 2
}

fn main() {
    double(1);
}
