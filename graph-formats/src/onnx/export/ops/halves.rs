//! Ops that are made of several operators: of floats of 16 bits they are computed as `float32`, and rounded once, as the kernels here do.

use graph_ir::ops::{self, OpDef};
use graph_ir::types::TensorType;
use graph_kernels::DType;

use super::{Use, Write, Written};
use crate::onnx::export::writer::Tensor;

static COMPOSED: &[&OpDef] = &[
    &ops::ATAN2,
    &ops::CBRT,
    &ops::CUMPROD,
    &ops::EXP2,
    &ops::EXPM1,
    &ops::FLOOR_DIV,
    &ops::FLOOR_MOD,
    &ops::LEAKY_RELU,
    &ops::LINSPACE,
    &ops::LOG10,
    &ops::LOG1P,
    &ops::LOG2,
    &ops::RSQRT,
    &ops::SEGMENT_MEAN,
    &ops::SOFTSIGN,
    &ops::SPARSE_SOFTMAX_CROSS_ENTROPY,
    &ops::SQUARED_DIFFERENCE,
    &ops::UNSORTED_SEGMENT_MEAN,
    &ops::XDIVY,
    &ops::XLOG1PY,
    &ops::XLOGY,
];

/// Whether an op is computed as `float32` for operands of this dtype.
pub(super) fn are_widened(op: &OpDef, dtype: DType) -> bool {
    dtype.is_half() && COMPOSED.contains(&op)
}

/// Writes an op for operands as `float32`.
pub(super) fn write(u: &mut Use<'_>, write: Write) -> Written {
    let wide = |dtype: DType| if dtype.is_half() { DType::F32 } else { dtype };
    let x: Vec<Tensor> = u.x.iter().map(|x| u.w.cast(x, wide(x.dtype()))).collect();
    let ty = TensorType::new(wide(u.ty.dtype), u.ty.shape.clone());
    let result = write(&mut Use {
        w: u.w,
        op: u.op,
        x: &x,
        attrs: u.attrs,
        ty: &ty,
    })?;
    Ok(u.w.cast(&result, u.ty.dtype))
}
