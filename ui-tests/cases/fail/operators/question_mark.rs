// Wanted: `?` on what isn't a `Result`.
use graph_runtime::prelude::*;

#[graph_fn]
fn f(x: Tensor<f32>) -> graph_runtime::Result<Tensor<f32>> {
    let y = x.exp()?;
    Ok(y)
}

fn main() {}
