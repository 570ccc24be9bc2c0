//! Ops that rearrange the values along an axis.

use graph_ir::ops::Attrs;
use graph_ir::types::TensorType;
use graph_kernels::DType;

use super::Rules;
use super::common::{axis, from_start};
use super::gather::upper_bounds;
use crate::tensorflow::attributes;
use crate::tensorflow::export::body::Tensor;
use crate::tensorflow::export::writer::Writer;

pub(super) const RULES: Rules = &[
    ("roll", roll),
    ("repeat", repeat),
    ("repeat_each", repeat_each),
    ("reverse_sequence", reverse_sequence),
];

fn roll(w: &mut Writer, x: &[Tensor], a: &Attrs, ty: &TensorType) -> Result<Tensor, String> {
    let axes = w.ints(a.ints("axes")?);
    Ok(w.op("Roll", &[&x[0], &x[1], &axes]).gives(ty.clone()))
}

/// Position i of the result is position i / count of the operand.
fn repeat(w: &mut Writer, x: &[Tensor], a: &Attrs, ty: &TensorType) -> Result<Tensor, String> {
    let along = axis(&x[0], a.int("axis")?)?;
    let (size, count) = (w.axis_size(&x[0], along), w.int(a.int("count")?));
    let total = w.binary("Mul", &size, &count);
    let (zero, one) = (w.int(0), w.int(1));
    let all = w.op("Range", &[&zero, &total, &one]).of(DType::I32);
    let from = w.binary("FloorDiv", &all, &count);
    let along = w.int(along);
    Ok(w.op("GatherV2", &[&x[0], &from, &along]).gives(ty.clone()))
}

/// Each position of the result belongs to the slice whose running count is the first beyond it. Negative counts are none.
fn repeat_each(w: &mut Writer, x: &[Tensor], a: &Attrs, ty: &TensorType) -> Result<Tensor, String> {
    let along = w.int(axis(&x[0], a.int("axis")?)?);
    let counts = w.cast(&x[1], DType::I32);
    let (zero, one) = (w.int(0), w.int(1));
    let counts = w.binary("Maximum", &counts, &zero);
    let ends = w.op("Cumsum", &[&counts, &zero]).of(DType::I32);
    let total = w.op("Sum", &[&counts, &zero]).of(DType::I32);
    let all = w.op("Range", &[&zero, &total, &one]).of(DType::I32);
    let from = upper_bounds(w, &ends, &all);
    Ok(w.op("GatherV2", &[&x[0], &from, &along]).gives(ty.clone()))
}

fn reverse_sequence(
    w: &mut Writer,
    x: &[Tensor],
    a: &Attrs,
    ty: &TensorType,
) -> Result<Tensor, String> {
    let along = |name| Ok::<_, String>(attributes::int(from_start(&x[0], a.int(name)?)? as i64));
    let (sequence, batch) = (along("seq_axis")?, along("batch_axis")?);
    let reversed = w
        .op("ReverseSequence", &[&x[0], &x[1]])
        .attr("seq_dim", sequence);
    Ok(reversed.attr("batch_dim", batch).gives(ty.clone()))
}
