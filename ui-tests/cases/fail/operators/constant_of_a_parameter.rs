// Wanted: a constant where the element type is a parameter.
use graph_runtime::prelude::*;

#[graph_fn]
fn slowed<T: Float>(velocity: Tensor<T>, gradient: Tensor<T>) -> Tensor<T> {
    velocity * 0.9 + gradient
}

fn main() {}
