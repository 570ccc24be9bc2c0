// Wanted: to scale rows, with a vector of as many numbers as there are rows.
use graph_runtime::prelude::*;

#[graph_fn]
fn f(x: Tensor<f32, S2<2, 3>>, y: Tensor<f32, S1<2>>) -> Tensor<f32, S2<2, 3>> {
    x * y
}

fn main() {}
