// Wanted: `tf.roll` along axes that have names.
use graph_runtime::prelude::*;

fn f(x: Tensor<f32>) -> Tensor<f32> {
    x.roll([1, 2], ["rows", "columns"])
}

fn main() {}
