//! Traces of unknown sizes, called with the same sizes again: then a plan for those sizes runs, and nothing else than that it is faster
//! may be noticed. `same` has results and effects, `errors` errors, `kept` which plans are made and kept.

mod errors;
mod kept;
mod same;

use graph_runtime::prelude::*;

/// How many calls run the plan for all sizes, and how many are made in all.
pub const CALLS: usize = 4;

/// Numbers that no sum is exact for.
pub fn numbers(shape: &[usize]) -> Tensor<f32> {
    let len = shape.iter().product();
    let value = |i: usize| ((i * 7919) % 2003) as f32 / 1000.0 - 0.93;
    Tensor::from_vec(shape, (0..len).map(value).collect()).expect("as many values")
}

/// The values with all their bits.
pub fn bits<S>(x: &Tensor<f32, S>) -> Vec<u32> {
    x.to_vec().into_iter().map(f32::to_bits).collect()
}
