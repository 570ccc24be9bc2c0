// Wanted: to return a struct of tensors.
use graph_runtime::prelude::*;

struct Output {
    loss: Tensor<f32>,
}

#[graph_fn]
fn f(x: Tensor<f32>) -> Output {
    Output { loss: x * x }
}

fn main() {
    f(tensor(1.0)).loss;
}
