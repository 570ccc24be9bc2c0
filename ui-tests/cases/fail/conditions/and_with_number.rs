// Wanted: `n` means "n is not zero".
use graph_runtime::prelude::*;

#[graph_fn]
fn f(x: Tensor<i32>, n: i32) -> Tensor<i32> {
    if x > 0 && n { x } else { -x }
}

fn main() {}
