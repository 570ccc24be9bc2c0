// Wanted: Python's habit, to count to a float.
use graph_runtime::prelude::*;

#[graph_fn]
fn f(n: Tensor<f32>) -> Tensor<i32> {
    let mut x = tensor(1);
    for _ in 0.0..n {
        x += 1;
    }
    x
}

fn main() {}
