// Wanted: a tensor of these values. Which type `into` makes, the parameter doesn't tell, for it also takes references and variables.
use graph_runtime::prelude::*;

#[graph_fn]
fn doubled(x: Tensor<f32>) -> Tensor<f32> {
    x * 2.0
}

fn main() {
    doubled(vec![1.0f32, 2.0].into());
}
