// Wanted: a count beside a tensor, as state.
use graph_runtime::GraphState;
use graph_runtime::prelude::*;

#[derive(GraphState)]
struct Count {
    sum: Tensor<f32>,
    n: usize,
}

fn main() {}
