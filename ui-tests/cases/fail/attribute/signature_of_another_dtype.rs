// Wanted: an input signature of floats for a parameter of integers.
use graph_runtime::prelude::*;

#[graph_fn(input_signature = [f32[_, 784]])]
fn f(x: Tensor<i32>) -> Tensor<i32> {
    x + 1
}

fn main() {}
