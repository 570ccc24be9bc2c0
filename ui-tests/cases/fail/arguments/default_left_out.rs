// Wanted: what NumPy takes for an argument that isn't there: steps of 1, the main diagonal.
use graph_runtime::prelude::*;

#[graph_fn]
fn mask(n: usize) -> Tensor<f32> {
    ones::<f32>([n, n]).tril()
}

#[graph_fn]
fn numbers(n: Tensor<i32>) -> Tensor<i32> {
    range(0, n)
}

#[graph_fn]
fn without_axes_of_one(x: Tensor<f32>) -> Tensor<f32> {
    x.squeeze()
}

fn main() {}
