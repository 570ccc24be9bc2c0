// Wanted: values with a shape, without a look at whether they fit it.
use graph_runtime::prelude::*;

#[graph_fn]
fn doubled(x: Tensor<f32>) -> Tensor<f32> {
    x * 2.0
}

fn main() {
    let x = Tensor::from_vec([2, 2], vec![1.0f32, 2.0, 3.0, 4.0]);
    doubled(&x);
}
