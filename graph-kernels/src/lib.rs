//! The arithmetic of the project: CPU kernels over dense arrays. This crate knows buffers, dtypes and shapes;
//! it knows no graph, no tensor and no trace. Every kernel reads its operands by reference and writes one
//! output array that it resizes first ([`Array::reset`]), so a caller that keeps its buffers allocates nothing.
//!
//! A family of kernels is a module. Below them, `dispatch` goes from dtypes to typed code, `number` says what can be
//! calculated with, and `zip`, `copy` and `nest` walk arrays.

#![deny(unsafe_code)]

mod along;
mod array;
mod cast;
mod copy;
mod dispatch;
mod dtype;
mod element;
mod error;
pub mod format;
mod index;
#[allow(
    dead_code,
    reason = "the functions that round by level are being built"
)]
mod math;
mod matmul;
mod nest;
mod number;
mod parallel;
mod random;
mod reduce;
mod scratch;
mod shape;
#[allow(
    unsafe_code,
    reason = "calls of code compiled for instructions that the CPU was asked for"
)]
pub mod simd;
mod source;
mod strings;
mod zip;

pub use along::{argmax, argmin, argsort, cumsum, log_softmax, softmax, sort};
pub use array::{Array, Buffer, Dims};
pub use cast::cast;
pub use dtype::{DType, Element};
pub use element::{ElementError, ElementOp, Operand, Program, Step, elementwise};
pub use error::KernelError;
pub use half::{bf16, f16};
pub use index::{
    AxisSlice, boolean_mask, gather, index, one_hot, set_row, set_row_in_place, slice_rows,
    strided_slice,
};
pub use matmul::matmul;
pub use nest::broadcast_shapes;
pub use parallel::{set_threads, threads};
pub use random::{
    random_bits, random_integers, random_normal, random_shuffle, random_truncated_normal,
    random_uniform,
};
pub use reduce::{
    Axes, normalize_axis, reduce_all, reduce_any, reduce_max, reduce_mean, reduce_min, reduce_prod,
    reduce_sum,
};
pub use shape::{
    broadcast_to, concat, expand_dims, expand_dims_in_place, permutation, rank_of, reshape,
    reshape_in_place, resolve_reshape, shape_of, size_of, sizes, squeeze, squeeze_in_place, stack,
    tile, transpose,
};
pub use source::{eye, fill, range};
pub use strings::{string_join, string_length};
