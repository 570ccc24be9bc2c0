// Wanted: an input signature for the method of a trait.
use graph_runtime::prelude::*;

trait Layer {
    fn call(&self, x: Tensor<f32>) -> Tensor<f32>;
}

struct Double;

impl Layer for Double {
    #[graph_fn(input_signature = [f32[_]])]
    fn call(&self, x: Tensor<f32>) -> Tensor<f32> {
        x * 2.0
    }
}

fn main() {}
