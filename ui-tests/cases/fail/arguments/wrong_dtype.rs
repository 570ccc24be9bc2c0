// Wanted: to call a graph function with a tensor of another element type.
use graph_runtime::prelude::*;

#[graph_fn]
fn double(x: Tensor<i32>) -> Tensor<i32> {
    x * 2
}

fn main() {
    double(tensor(1.5));
}
