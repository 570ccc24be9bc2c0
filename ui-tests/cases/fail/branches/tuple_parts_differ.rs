// Wanted: pairs of which one part is a tensor in one branch and a number in the other.
use graph_runtime::prelude::*;

#[graph_fn]
fn f(x: Tensor<i32>) -> (Tensor<i32>, Tensor<i32>) {
    let n = 3;
    let (a, b) = if x > 0 { (x * 2, n) } else { (x * 2, x) };
    (a, b)
}

fn main() {}
