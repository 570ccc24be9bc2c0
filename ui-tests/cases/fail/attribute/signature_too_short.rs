// Wanted: an input signature, but forgot the second parameter.
use graph_runtime::prelude::*;

#[graph_fn(input_signature = [f32[_]])]
fn f(x: Tensor<f32>, y: Tensor<f32>) -> Tensor<f32> {
    x + y
}

fn main() {}
