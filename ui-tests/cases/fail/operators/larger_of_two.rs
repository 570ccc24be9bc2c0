// Wanted: the larger of two values, as Rust names it.
use graph_runtime::prelude::*;

#[graph_fn]
fn relu(x: Tensor<f32>) -> Tensor<f32> {
    x.max(0.0)
}

fn lower(x: &Tensor<i32>, y: &Tensor<i32>) -> Tensor<i32> {
    x.min(y)
}

fn main() {
    relu(tensor(1.0));
    lower(&tensor(1), &tensor(2));
}
