// Wanted: an option that `tf.function` has.
use graph_runtime::prelude::*;

#[graph_fn(jit_compile = true)]
fn f(x: Tensor<i32>) -> Tensor<i32> {
    x + 1
}

fn main() {}
