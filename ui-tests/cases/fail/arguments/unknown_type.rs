// Wanted: a tensor of a type that tensors don't hold.
use graph_runtime::prelude::*;

#[graph_fn]
fn double(n: usize) -> Tensor<f32> {
    let x = tensor(n);
    x.cast::<f32>() * 2.0
}

fn main() {}
