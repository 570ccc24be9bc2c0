// Wanted: to choose a learning rate by a tensor.
use graph_runtime::prelude::*;

#[graph_fn]
fn rate(loss: Tensor<f32>) -> Tensor<f32> {
    let mut rate: f32 = 0.1;
    if loss > 1.0 {
        rate = 0.5;
    }
    loss * rate
}

fn main() {}
