// Wanted: to set the items of a slice where a tensor decides.
use graph_runtime::prelude::*;

#[graph_fn]
fn f(x: Tensor<i32>, y: &mut [f64]) -> Tensor<i32> {
    if x > 0 {
        y[0] = 1.0;
    }
    x
}

fn main() {}
