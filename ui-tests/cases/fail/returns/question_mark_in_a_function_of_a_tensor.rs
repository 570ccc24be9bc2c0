// Wanted: an error that a Rust value gives, out of a function that returns a tensor.
use graph_runtime::prelude::*;

#[graph_fn]
fn scaled(x: Tensor<f32>, by: &str) -> Tensor<f32> {
    let by: f32 = by.parse()?;
    if x > 0.0 { x * by } else { x }
}

fn main() {
    scaled(tensor(1.0), "2");
}
