// Wanted: a sum that starts at zeros of no written type, times a number that stands before it.
use graph_runtime::prelude::*;

#[graph_fn]
fn f(x: Tensor<f64>) -> Tensor<f64> {
    let sum = zeros([3]);
    let twice = 2.0 * sum;
    twice.exp() + x
}

fn main() {}
