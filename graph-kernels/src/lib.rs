//! The arithmetic of the project: CPU kernels over dense arrays. This crate knows buffers, dtypes and shapes;
//! it knows no graph, no tensor and no trace. Every kernel reads its operands by reference and writes one
//! output array that it resizes first ([`Array::reset`]), so a caller that keeps its buffers allocates nothing.
//!
//! Each module is a family of kernels. Below them, `dispatch` maps dtypes to typed code, `number` defines the types that are calculated
//! with, and `zip`, `copy` and `nest` walk arrays.

#![deny(unsafe_code)]

/// True if the kernels are compiled with optimization; without it they take about a hundred times as long. In the dev profile these two
/// lines of the program's `Cargo.toml` switch it on for this crate alone:
///
/// ```toml
/// [profile.dev.package.graph-kernels]
/// opt-level = 3
/// ```
pub const OPTIMIZED: bool = cfg!(optimized);

mod along;
mod arrange;
mod array;
mod batch;
mod beside;
mod block;
mod bound;
mod bound_arrays;
mod buffer;
mod bytes;
mod cast;
mod conv;
mod copy;
mod count;
mod cumulative;
mod denormals;
mod diagonal;
mod dispatch;
mod dtype;
mod dynamic;
mod einsum;
mod element;
mod element_loop;
mod elementwise;
mod error;
mod extreme;
mod float16;
pub mod format;
mod formula;
mod gather;
#[allow(unsafe_code, reason = "the system call that asks for large pages")]
mod huge_pages;
mod index;
mod indices;
mod lanes;
mod list;
mod math;
mod matmul;
mod nest;
mod number;
mod numerics;
mod pad;
mod parallel;
mod part;
mod program;
mod random;
mod reduce;
mod scatter;
mod scratch;
mod search;
mod segment;
mod shape;
mod short_rows;
#[allow(
    unsafe_code,
    reason = "calls of code compiled for instructions that the CPU was asked for"
)]
pub mod simd;
mod slices;
mod softmax;
mod solve;
mod sort;
mod source;
mod step;
#[allow(unsafe_code, reason = "the instruction that stores past the caches")]
mod stream;
mod strings;
mod sum_to;
mod transpose;
mod values;
mod widened;
mod words;
mod written;
mod zip;

pub use along::normalize_axis;
pub use arrange::{repeat, repeat_each, repeated, reverse_sequence, roll};
pub use array::{Array, Dims, len_of};
pub use batch::{ArrayOrRow, batch, copy_array_or_row};
pub use bound::{BoundEnd, BoundLoop, BoundStep, BoundWords, WrittenWords};
pub use bound_arrays::BoundArray;
pub use buffer::{Buffer, Element};
pub use cast::cast;
pub use conv::{
    Padding, Span, Window, avg_pool2d, avg_pool2d_grad, conv_groups, conv2d,
    conv2d_backprop_filter, conv2d_backprop_input, conv2d_then, conv2d_transpose, depthwise_conv2d,
    max_pool2d, max_pool2d_grad, max_pool2d_grad_grad,
};
pub use count::{bin_limits, bincount, check_weights, unique, unique_index, weighted_bincount};
pub use cumulative::{Running, cumprod, cumsum};
pub use diagonal::{
    band_part, diag, diag_part, diag_size, diagonal_len, set_diag, set_diag_in_place,
};
pub use dtype::DType;
pub use dynamic::{
    broadcast_as, fill_to, pad_by, reshape_to, sizes_in, slice, slice_axis, slice_to, tile_by,
};
pub use einsum::{Division, Equation, Label, Labels, einsum, tensordot};
pub use element::{ElementError, ElementOp, WordFunction};
pub use element_loop::ElementLoop;
pub use elementwise::elementwise;
pub use error::KernelError;
pub use extreme::{argmax, argmin};
pub use float16::{bf16, f16};
pub use gather::{batch_axes, gather, gather_nd, nonzero};
pub use index::{
    boolean_mask, index, index_axis, one_hot, set_row, set_row_in_place, slice_rows, strided_slice,
};
pub use indices::check_depth;
pub use lanes::take_along_axis;
pub use list::{
    list_add, list_concat, list_concat_in_place, list_extend, list_extend_in_place, list_new,
    list_read, list_rows, list_rows_in_place, list_scatter, list_scatter_in_place, list_write,
    list_write_in_place,
};
pub use matmul::{Behind, Packed, matmul, matmul_then};
pub use nest::broadcast_shapes;
pub use numerics::check_numerics;
pub use pad::{Mirror, Paddings, mirror_pad, pad};
pub use parallel::{set_threads, threads};
pub use part::{
    add_along_axis, gather_add, index_add, set_part, slice_add, slice_axis_add, strided_slice_add,
};
pub use program::{InputPart, Program, Width};
pub use random::{
    Draws, random_bits, random_integers, random_normal, random_shuffle, random_truncated_normal,
    random_uniform,
};
pub use reduce::{Axes, ReduceOp, reduce};
pub use scatter::{
    check_updates, invert_permutation, scatter_add, scatter_add_in_place, scatter_max,
    scatter_max_in_place, scatter_min, scatter_min_in_place, scatter_sub, scatter_sub_in_place,
    scatter_update, scatter_update_in_place,
};
pub use search::{check_rows, searchsorted};
pub use segment::{
    check_leading_ids, check_row_ids, segment_count, segment_max, segment_mean, segment_min,
    segment_prod, segment_sum, unsorted_segment_max, unsorted_segment_mean, unsorted_segment_min,
    unsorted_segment_prod, unsorted_segment_sum,
};
pub use shape::{
    broadcast_to, concat, expand_dims, expand_dims_in_place, permutation, rank_of, reshape,
    reshape_in_place, resolve_reshape, shape_of, size_of, sizes, squeeze, squeeze_in_place, stack,
    tile, transpose,
};
pub use slices::AxisSlice;
pub use softmax::{log_softmax, softmax, sparse_cross_entropy};
pub use solve::{singular, solve};
pub use sort::{argsort, sort, top_k, top_k_count};
pub use source::{eye, fill, linspace, linspace_count, range, range_len};
pub use step::{Operand, Step, StepOp};
pub use strings::{
    string_chars, string_join, string_length, string_lower, string_reduce_join, string_split,
    string_strip, string_substr, string_upper,
};
pub use sum_to::{repeated_axes, sum_to};
pub use values::Values;
pub use words::codegen;
pub use words::{
    List, Memory, REGISTERS, Register, Registers, Rows, ValueType, WordAccess, WordFailure,
    WordProgram, WordStep,
};
pub use written::NO_SHAPE;
