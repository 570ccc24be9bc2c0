// Wanted: to call a graph function with too few arguments.
use graph_runtime::prelude::*;

#[graph_fn]
fn add(x: Tensor<i32>, y: Tensor<i32>) -> Tensor<i32> {
    x + y
}

fn main() {
    add(tensor(1));
}
