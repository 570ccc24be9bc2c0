// Wanted: a field that is no part of a model.
use graph_runtime::nn::{Dense, Module};
use graph_runtime::prelude::*;

#[derive(Module)]
struct Model {
    hidden: Dense,
    scale: Tensor<f32>,
}

fn main() {}
