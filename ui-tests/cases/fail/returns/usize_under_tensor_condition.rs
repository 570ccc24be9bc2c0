// Wanted: a Rust number that depends on a tensor.
use graph_runtime::prelude::*;

#[graph_fn]
fn f(x: Tensor<i32>) -> usize {
    if x > 0 {
        return 1;
    }
    0
}

fn main() {}
