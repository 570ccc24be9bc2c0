//! The cost of calls: of a graph with a single op, and of a graph that must be traced first.

use std::path::Path;

use graph_runtime::prelude::*;

use crate::npy::{FileError, Inputs};
use crate::program::{Program, calls};

/// `x + 1`: the overhead of a call.
#[graph_fn]
pub fn add_scalar(x: Tensor<f32>) -> Tensor<f32> {
    x + 1.0
}

/// An `if` over a scalar.
#[graph_fn]
pub fn square_if_positive(x: Tensor<i32>) -> Tensor<i32> {
    let mut x = x;
    if x > 0 {
        x = x * x;
    } else {
        x = 0;
    }
    x
}

/// A hundred elementwise operations. The Rust number is part of the signature, so another number needs another trace.
#[graph_fn]
fn hundred_operations(x: Tensor<f32>, scale: f32) -> Tensor<f32> {
    let mut x = x;
    for k in 0..25 {
        x = (x * (scale + 0.01 * k as f32) + 0.1).tanh().maximum(-0.5);
    }
    x
}

/// Calls with a new number each time, so that every call traces, optimizes, plans and runs. The first number is 1.
pub fn trace_anew(folder: &Path) -> Result<Box<dyn Program>, FileError> {
    let x = Inputs::new(folder).take::<f32>()?;
    let mut scale = 1.0;
    Ok(calls(move || {
        let result = hundred_operations(x.clone(), scale);
        scale += 1e-6;
        result
    }))
}
