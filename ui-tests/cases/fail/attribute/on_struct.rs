// Wanted: a struct all of whose methods are graph functions.
use graph_runtime::prelude::*;

#[graph_fn]
struct Model {
    weight: Tensor<f32>,
}

fn main() {}
