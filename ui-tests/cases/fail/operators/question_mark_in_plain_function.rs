// Wanted: `?` in a function that returns no `Result`.
use graph_runtime::prelude::*;

#[graph_fn]
fn f(x: Tensor<i32>, text: &str) -> Tensor<i32> {
    let n = text.parse::<i32>()?;
    if x > 0 { x + n } else { x }
}

fn main() {}
