//! Which op has which gradient rule. An op that isn't here lets no gradient through.

use std::sync::LazyLock;

use rustc_hash::FxHashMap;

use super::*;
use crate::autodiff::Rule;
use crate::ops::{self, OpDef};

/// The gradient rule of an op, if a gradient goes through it.
///
/// ```
/// use graph_runtime::{autodiff, ops};
///
/// assert!(autodiff::rule(&ops::MUL).is_some() && autodiff::rule(&ops::LESS).is_none());
/// ```
pub fn rule(op: &'static OpDef) -> Option<Rule> {
    /// By where the op's row is in memory.
    static RULES: LazyLock<FxHashMap<usize, Rule>> =
        LazyLock::new(|| ROWS.iter().map(|(op, rule)| (address(op), *rule)).collect());
    RULES.get(&address(op)).copied()
}

fn address(op: &'static OpDef) -> usize {
    std::ptr::from_ref(op).addr()
}

/// By the op table's files.
#[rustfmt::skip]
static ROWS: &[(&OpDef, Rule)] = &[
    // arithmetic
    (&ops::ADD, add),
    (&ops::SUB, sub),
    (&ops::MUL, mul),
    (&ops::DIV, div),
    (&ops::REM, rem),
    (&ops::TRUE_DIV, div),
    (&ops::FLOOR_MOD, floor_mod),
    (&ops::POW, pow),
    (&ops::MAXIMUM, maximum),
    (&ops::MINIMUM, minimum),
    (&ops::NEG, neg),
    (&ops::ABS, abs),
    (&ops::SIGN, zero),
    (&ops::SQUARE, square),
    (&ops::RELU, relu),
    (&ops::EXP, exp),
    (&ops::LOG, log),
    (&ops::SQRT, sqrt),
    (&ops::RSQRT, rsqrt),
    (&ops::SIN, sin),
    (&ops::COS, cos),
    (&ops::TANH, tanh),
    (&ops::SIGMOID, sigmoid),
    (&ops::CAST, cast),
    // arrange
    (&ops::ROLL, roll),
    (&ops::REPEAT, repeat),
    (&ops::REPEAT_EACH, repeat_each),
    (&ops::REVERSE_SEQUENCE, reverse_sequence),
    // compare
    (&ops::SELECT, select),
    // conv
    (&ops::CONV2D, conv2d),
    (&ops::DEPTHWISE_CONV2D, depthwise_conv2d),
    (&ops::CONV2D_TRANSPOSE, conv2d_transpose),
    (&ops::MAX_POOL2D, max_pool2d),
    (&ops::AVG_POOL2D, avg_pool2d),
    // conv_gradient
    (&ops::CONV2D_BACKPROP_INPUT, conv2d_backprop_input),
    (&ops::CONV2D_BACKPROP_FILTER, conv2d_backprop_filter),
    (&ops::MAX_POOL2D_GRAD, max_pool2d_grad),
    (&ops::MAX_POOL2D_GRAD_GRAD, max_pool2d_grad_grad),
    (&ops::AVG_POOL2D_GRAD, avg_pool2d_grad),
    // count
    (&ops::WEIGHTED_BINCOUNT, weighted_bincount),
    // diagonal
    (&ops::DIAG, diag),
    (&ops::DIAG_PART, diag_part),
    (&ops::SET_DIAG, set_diag),
    (&ops::BAND_PART, band_part),
    // dynamic
    (&ops::RESHAPE_TO, reshape),
    (&ops::FILL_TO, fill),
    (&ops::BROADCAST_AS, broadcast),
    (&ops::TILE_BY, tile_by),
    (&ops::SLICE, slice),
    (&ops::SLICE_TO, slice),
    (&ops::SLICE_AXIS, slice_axis),
    // einsum
    (&ops::EINSUM, einsum),
    (&ops::TENSORDOT, tensordot),
    // gather
    (&ops::GATHER, gather),
    (&ops::BATCH_GATHER, gather),
    (&ops::GATHER_ND, gather_nd),
    (&ops::TAKE_ALONG_AXIS, take_along_axis),
    // gradient
    (&ops::SUM_TO, sum_to),
    (&ops::GRAD_DIV, grad_div),
    (&ops::AFTER, identity),
    (&ops::INDEX_ADD, index_add),
    (&ops::STRIDED_SLICE_ADD, strided_slice_add),
    (&ops::SLICE_AXIS_ADD, slice_axis_add),
    (&ops::SLICE_ADD, slice_add),
    (&ops::GATHER_ADD, gather_add),
    (&ops::ADD_ALONG_AXIS, add_along_axis),
    // index
    (&ops::INDEX, index),
    (&ops::INDEX_AXIS, index_axis),
    (&ops::STRIDED_SLICE, strided_slice),
    (&ops::SLICE_ROWS, slice_rows),
    (&ops::SET_ROW, set_row),
    (&ops::SET_PART, set_part),
    (&ops::BOOLEAN_MASK, boolean_mask),
    // linalg
    (&ops::MATMUL, matmul),
    // list
    (&ops::LIST_WRITE, list_write),
    (&ops::LIST_SCATTER, list_scatter),
    (&ops::LIST_EXTEND, list_extend),
    (&ops::LIST_READ, list_read),
    (&ops::LIST_ROWS, identity),
    (&ops::LIST_CONCAT, reshape),
    (&ops::LIST_ADD, list_add),
    // mathematics
    (&ops::EXP2, exp2),
    (&ops::EXPM1, expm1),
    (&ops::LOG1P, log1p),
    (&ops::LOG2, log2),
    (&ops::LOG10, log10),
    (&ops::CBRT, cbrt),
    (&ops::RECIPROCAL, reciprocal),
    (&ops::CHECK_NUMERICS, check_numerics),
    (&ops::TAN, tan),
    (&ops::ASIN, asin),
    (&ops::ACOS, acos),
    (&ops::ATAN, atan),
    (&ops::ATAN2, atan2),
    (&ops::SINH, sinh),
    (&ops::COSH, cosh),
    (&ops::ASINH, asinh),
    (&ops::ACOSH, acosh),
    (&ops::ATANH, atanh),
    (&ops::ERF, erf),
    (&ops::ERFC, erfc),
    (&ops::DIVIDE_NO_NAN, divide_no_nan),
    (&ops::XLOGY, xlogy),
    (&ops::XLOG1PY, xlog1py),
    (&ops::XDIVY, xdivy),
    (&ops::SQUARED_DIFFERENCE, squared_difference),
    (&ops::SOFTPLUS, softplus),
    (&ops::SOFTSIGN, softsign),
    (&ops::ELU, elu),
    (&ops::SELU, selu),
    (&ops::LEAKY_RELU, leaky_relu),
    (&ops::RELU6, relu6),
    // one_value
    (&ops::ONE_VALUE, reshape),
    // pad
    (&ops::PAD, pad),
    (&ops::MIRROR_PAD, mirror_pad),
    (&ops::PAD_BY, pad_by),
    // random
    (&ops::STATELESS_SHUFFLE, shuffle),
    // reduce
    (&ops::REDUCE_SUM, reduce_sum),
    (&ops::REDUCE_PROD, reduce_prod),
    (&ops::REDUCE_MEAN, reduce_mean),
    (&ops::REDUCE_MAX, reduce_extreme),
    (&ops::REDUCE_MIN, reduce_extreme),
    (&ops::CUMSUM, cumsum),
    (&ops::CUMPROD, cumprod),
    (&ops::SOFTMAX, softmax),
    (&ops::LOG_SOFTMAX, log_softmax),
    (&ops::SPARSE_SOFTMAX_CROSS_ENTROPY, sparse_softmax_cross_entropy),
    // scatter
    (&ops::SCATTER_UPDATE, scatter_update),
    (&ops::SCATTER_ADD, scatter_add),
    (&ops::SCATTER_SUB, scatter_sub),
    (&ops::SCATTER_MIN, scatter_extreme),
    (&ops::SCATTER_MAX, scatter_extreme),
    // segment
    (&ops::SEGMENT_SUM, segment_sum),
    (&ops::SEGMENT_MEAN, segment_mean),
    (&ops::SEGMENT_PROD, segment_prod),
    (&ops::SEGMENT_MAX, segment_extreme),
    (&ops::SEGMENT_MIN, segment_extreme),
    (&ops::UNSORTED_SEGMENT_SUM, segment_sum),
    (&ops::UNSORTED_SEGMENT_MEAN, segment_mean),
    (&ops::UNSORTED_SEGMENT_PROD, segment_prod),
    (&ops::UNSORTED_SEGMENT_MAX, segment_extreme),
    (&ops::UNSORTED_SEGMENT_MIN, segment_extreme),
    // shape
    (&ops::RESHAPE, reshape),
    (&ops::RELAX_SHAPE, identity),
    (&ops::TRANSPOSE, transpose),
    (&ops::EXPAND_DIMS, reshape),
    (&ops::SQUEEZE, reshape),
    (&ops::CONCAT, concat),
    (&ops::STACK, stack),
    (&ops::BROADCAST_TO, broadcast),
    (&ops::TILE, tile),
    // sort
    (&ops::SORT, sort),
    // source
    (&ops::FILL, fill),
    (&ops::LINSPACE, linspace),
];
