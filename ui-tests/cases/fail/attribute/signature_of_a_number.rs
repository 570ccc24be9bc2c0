// Wanted: an input signature for a parameter that is no tensor.
use graph_runtime::prelude::*;

#[graph_fn(input_signature = [f32[_], i64[]])]
fn f(x: Tensor<f32>, times: i64) -> Tensor<f32> {
    x * times as f32
}

fn main() {}
