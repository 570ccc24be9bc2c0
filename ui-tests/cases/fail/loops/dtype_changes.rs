// Wanted: a variable that becomes a float in the loop.
use graph_runtime::prelude::*;

#[graph_fn]
fn f(n: Tensor<i32>) -> Tensor<i32> {
    let mut x = tensor(1);
    for _ in 0..n {
        x = x.cast::<f32>() * 0.5;
    }
    x
}

fn main() {}
