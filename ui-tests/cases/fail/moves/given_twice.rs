// Wanted: to give a tensor to a graph function twice, outside of one. The message names the parameter and offers to lend it.
use graph_runtime::prelude::*;

#[graph_fn]
fn centred(x: Tensor<f32>) -> Tensor<f32> {
    x - x.mean()
}

fn main() {
    let x = tensor([1.0f32, 2.0]);
    centred(x);
    centred(x);
}
