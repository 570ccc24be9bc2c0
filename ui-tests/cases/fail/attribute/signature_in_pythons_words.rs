// Wanted: a batch of any size, with TensorFlow's words.
use graph_runtime::prelude::*;

#[graph_fn(input_signature = [f32[None, 784]])]
fn f(x: Tensor<f32>) -> Tensor<f32> {
    x
}

#[graph_fn(input_signature = [TensorSpec([None], f32)])]
fn g(x: Tensor<f32>) -> Tensor<f32> {
    x
}

fn main() {}
