// Wanted: to choose a struct of tensors by a tensor.
use graph_runtime::prelude::*;

struct Output {
    loss: Tensor<f32>,
}

#[graph_fn]
fn f(x: Tensor<f32>) -> Output {
    if x > 0.0 {
        return Output { loss: x * x };
    }
    Output { loss: x }
}

fn main() {
    let _ = f(tensor(1.0)).loss;
}
