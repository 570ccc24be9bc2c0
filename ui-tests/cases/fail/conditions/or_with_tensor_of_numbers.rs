// Wanted: `y` means "y is not zero".
use graph_runtime::prelude::*;

#[graph_fn]
fn f(x: Tensor<i32>, y: Tensor<i32>) -> Tensor<i32> {
    if y || x > 0 { x } else { y }
}

fn main() {}
