// Wanted: a tensor with a shape in its type for one without.
use graph_runtime::prelude::*;

#[graph_fn]
fn f(x: Tensor<f32>) -> Tensor<f32> {
    x * 2.0
}

fn main() {
    f(Tensor::of([1.0, 2.0]));
}
