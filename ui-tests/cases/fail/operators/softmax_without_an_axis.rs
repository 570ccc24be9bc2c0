// Wanted: `tf.nn.softmax(x)`.
use graph_runtime::prelude::*;

fn f(x: Tensor<f32>) -> Tensor<f32> {
    x.softmax()
}

fn main() {}
