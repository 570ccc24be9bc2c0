//! Traces of unknown sizes that are called with the same sizes again: then a plan for these sizes runs, and nothing but the time may
//! show it. `same` tests results and effects, `errors` errors, `kept` which plans are made and kept.

mod errors;
mod kept;
mod same;

use graph_runtime::prelude::*;

/// The number of calls with the same sizes: the first runs the plan for all sizes, the others run the plan for these sizes.
pub const CALLS: usize = 4;

/// Numbers whose sums are never exact.
pub fn numbers(shape: &[usize]) -> Tensor<f32> {
    let len = shape.iter().product();
    let value = |i: usize| ((i * 7919) % 2003) as f32 / 1000.0 - 0.93;
    Tensor::from_vec(shape, (0..len).map(value).collect()).expect("as many values")
}

/// The values, as bits.
pub fn bits<S>(x: &Tensor<f32, S>) -> Vec<u32> {
    x.to_vec().into_iter().map(f32::to_bits).collect()
}
