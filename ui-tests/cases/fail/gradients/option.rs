// Wanted: a gradient as a tensor. It is an `Option`, for the target may not depend on the source.
use graph_runtime::prelude::*;

#[graph_fn]
fn descend(w: &Variable<f32>, x: Tensor<f32>) {
    let tape = GradientTape::new();
    let loss = (x * w.read()).sum();
    let dw = tape.gradient(&loss, w);
    w.assign_sub(dw * 0.1);
}

fn main() {}
