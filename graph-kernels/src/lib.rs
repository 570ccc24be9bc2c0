//! The arithmetic of the project: CPU kernels over dense arrays. This crate knows buffers, dtypes and shapes;
//! it knows no graph, no tensor and no trace. Every kernel reads its operands by reference and writes one
//! output array that it resizes first ([`Array::reset`]), so a caller that keeps its buffers allocates nothing.

mod array;
mod dtype;
mod error;

pub use array::{Array, Buffer, Dims};
pub use dtype::{DType, Element};
pub use error::KernelError;
