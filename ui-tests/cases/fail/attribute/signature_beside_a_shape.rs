// Wanted: a signature that the parameter's type gives already.
use graph_runtime::prelude::*;

#[graph_fn(input_signature = [f32[_, 784]])]
fn f(x: Tensor<f32, shape![_, 784]>) -> Tensor<f32> {
    x.dynamic()
}

fn main() {}
