// Wanted: a trait all of whose methods are graph functions.
use graph_runtime::prelude::*;

#[graph_fn]
trait Layer {
    fn call(&self, x: Tensor<f32>) -> Tensor<f32>;
}

fn main() {}
