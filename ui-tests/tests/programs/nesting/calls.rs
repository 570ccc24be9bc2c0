// Graph functions that call each other, one of them twice.
use graph_runtime::prelude::*;

#[graph_fn]
fn square(x: Tensor<f32>) -> Tensor<f32> {
    x * x
}

#[graph_fn]
fn length(x: Tensor<f32>, y: Tensor<f32>) -> Tensor<f32> {
    (square(x) + square(y)).sqrt()
}

#[test]
fn runs() {
    assert_eq!(length(tensor(3.0), tensor(4.0)).item(), 5.0);
    assert_eq!(square::function().trace_count(), 1);
}
