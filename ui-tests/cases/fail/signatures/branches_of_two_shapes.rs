// Wanted: branches that give different shapes.
use graph_runtime::prelude::*;

#[graph_fn]
fn f(x: Tensor<f32, S2<2, 3>>) -> Tensor<f32, S2<2, 3>> {
    if x.sum() > 0.0 { x } else { x.t() }
}

fn main() {}
