// Wanted: a trace for tensors of another dtype than the function takes.
use graph_runtime::prelude::*;

#[graph_fn]
fn double(x: Tensor<i32>) -> Tensor<i32> {
    x * 2
}

fn main() {
    let _ = double::concrete(TensorSpec::<f32>::new(&[None]));
}
