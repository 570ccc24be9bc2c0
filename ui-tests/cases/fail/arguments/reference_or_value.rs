// Wanted: a parameter that takes a reference and one that takes a tensor, each given the other; only the first must be lent.
use graph_runtime::prelude::*;

#[graph_fn]
fn halved(x: &Tensor<f32>) -> Tensor<f32> {
    x * 0.5
}

#[graph_fn]
fn centred(x: Tensor<f32>) -> Tensor<f32> {
    let mean = x.mean();
    x - mean
}

fn main() {
    let x = tensor([1.0f32, 2.0]);
    // A reference is asked for. Where a tensor is asked for, both will do: `centred(&x)`.
    halved(x);
    centred(&tensor([1, 2]));
    centred(2.0);
}
