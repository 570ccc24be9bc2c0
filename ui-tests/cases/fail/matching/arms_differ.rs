// Wanted: an integer in one arm, a float in the other.
use graph_runtime::prelude::*;

#[graph_fn]
fn f(x: Tensor<i32>) -> Tensor<i32> {
    match x {
        0 => x,
        _ => x.cast::<f32>(),
    }
}

fn main() {}
