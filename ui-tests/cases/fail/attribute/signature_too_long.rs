// Wanted: an input signature of a function that has one parameter less.
use graph_runtime::prelude::*;

#[graph_fn(input_signature = [f32[_], f32[]])]
fn f(x: Tensor<f32>) -> Tensor<f32> {
    x
}

fn main() {}
