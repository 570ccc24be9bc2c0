// Wanted: every implementation of a method as a graph function.
use graph_runtime::prelude::*;

trait Layer {
    #[graph_fn]
    fn call(&self, x: Tensor<f32>) -> Tensor<f32>;
}

fn main() {}
