// Wanted: a scalar for a vector.
use graph_runtime::prelude::*;

#[graph_fn]
fn f(x: Tensor<i32, shape![_]>) -> Tensor<i32, shape![_]> {
    x * 2
}

fn main() {
    f(Tensor::of(1));
}
