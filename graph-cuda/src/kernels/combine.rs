//! How the elements of a row are combined: what the reductions of whole tensors and those inside of row programs have in common.

use graph_kernels::{DType, ElementOp, ReduceOp};

use super::numbers::Number;
use crate::ptx::{self, Code, Reg, Width};

/// How a reduction combines.
pub fn combination(op: ReduceOp) -> ElementOp {
    match op {
        ReduceOp::Sum | ReduceOp::Mean => ElementOp::Add,
        ReduceOp::Prod => ElementOp::Mul,
        ReduceOp::Max => ElementOp::Maximum,
        ReduceOp::Min => ElementOp::Minimum,
        ReduceOp::Any => ElementOp::LogicalOr,
        ReduceOp::All => ElementOp::LogicalAnd,
    }
}

/// The dtype in which elements of a dtype are combined.
pub fn combined_as(op: ReduceOp, dtype: DType) -> DType {
    let adds = matches!(op, ReduceOp::Sum | ReduceOp::Mean | ReduceOp::Prod);
    match dtype {
        DType::F16 | DType::BF16 if adds => DType::F32,
        _ if dtype.is_integer() && op == ReduceOp::Mean => match dtype.is_unsigned() {
            true => DType::U64,
            false => DType::I64,
        },
        other => other,
    }
}

/// The value that changes nothing, as the bits of an element.
pub fn neutral(op: ElementOp, dtype: DType) -> u64 {
    let number = match op {
        ElementOp::Mul | ElementOp::LogicalAnd => Number::One,
        ElementOp::Maximum => Number::Lowest,
        ElementOp::Minimum => Number::Highest,
        _ => Number::Zero,
    };
    number.bits(dtype)
}

/// Combines a value with a sum.
pub fn add(code: &mut Code, op: ElementOp, dtype: DType, sum: Reg, value: Reg) {
    if let Some(new) = ptx::element(code, op, dtype, &[sum, value]) {
        code.assign(sum, new);
    }
}

/// A conversion of an element.
pub fn convert(code: &mut Code, from: DType, to: DType, value: Reg) -> Option<Reg> {
    if from == to {
        return Some(value);
    }
    ptx::element(code, ElementOp::conversion(to)?, from, &[value])
}

/// The mean of a sum over a number of elements; 0 for integers if there are none.
pub fn mean(code: &mut Code, dtype: DType, sum: Reg, length: Reg) -> Option<Reg> {
    let length = code.widened(length, Width::Double);
    let length = convert(code, DType::I64, dtype, length)?;
    quotient(code, dtype, sum, length)
}

fn quotient(code: &mut Code, dtype: DType, sum: Reg, length: Reg) -> Option<Reg> {
    if !dtype.is_integer() {
        return ptx::element(code, ElementOp::Div, dtype, &[sum, length]);
    }
    let zero = code.copy(0, Width::Double);
    let is_empty = code.compare("eq", length, 0);
    let one = code.copy(1, Width::Double);
    let divisor = [one.into(), length.into(), is_empty.into()];
    let divisor = code.op(Width::Double, "selp.b64", &divisor);
    let ty = if dtype.is_unsigned() { "u64" } else { "s64" };
    let mean = code.op(
        Width::Double,
        &format!("div.{ty}"),
        &[sum.into(), divisor.into()],
    );
    let operands = [zero.into(), mean.into(), is_empty.into()];
    Some(code.op(Width::Double, "selp.b64", &operands))
}
