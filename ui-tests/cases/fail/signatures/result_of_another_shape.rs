// Wanted: a result type that the body does not have.
use graph_runtime::prelude::*;

#[graph_fn]
fn f(x: Tensor<f32, S2<2, 3>>) -> Tensor<f32, S2<3, 3>> {
    x * 2.0
}

fn main() {}
