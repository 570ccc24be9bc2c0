// Wanted: an own error type that a tensor decides about.
use graph_runtime::prelude::*;

struct Negative;

#[graph_fn]
fn f(x: Tensor<i32>) -> Result<i32, Negative> {
    if x < 0 {
        return Err(Negative);
    }
    Ok(1)
}

fn main() {}
