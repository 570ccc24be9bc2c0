//! Graph functions for Rust.
extern crate self as graph_runtime;

pub mod error;
pub mod graph;
pub mod ops;

pub use graph_kernels::{Array, DType, Element};
