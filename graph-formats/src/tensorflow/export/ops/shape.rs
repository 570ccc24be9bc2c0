//! Ops that change the shape, and arrays made of sizes.

use graph_ir::ops::Attrs;
use graph_ir::types::{Shape, TensorType};
use graph_kernels::Array;

use super::Rules;
use super::common::axis;
use crate::tensorflow::attributes;
use crate::tensorflow::export::body::Tensor;
use crate::tensorflow::export::writer::Writer;
use crate::tensorflow::types::shape_proto;

pub(super) const RULES: Rules = &[
    ("reshape", |w, x, a, ty| {
        with_ints(w, "Reshape", x, a.ints("shape")?, ty)
    }),
    ("relax_shape", relax_shape),
    ("transpose", |w, x, a, ty| {
        with_ints(w, "Transpose", x, a.ints("perm")?, ty)
    }),
    ("expand_dims", expand_dims),
    ("squeeze", squeeze),
    ("concat", concat),
    ("stack", stack),
    ("broadcast_to", |w, x, a, ty| {
        with_ints(w, "BroadcastTo", x, a.ints("shape")?, ty)
    }),
    ("tile", |w, x, a, ty| {
        with_ints(w, "Tile", x, a.ints("multiples")?, ty)
    }),
    ("fill", fill),
    ("fill_to", |w, x, _, ty| {
        Ok(w.op("Fill", &[&x[1], &x[0]]).gives(ty.clone()))
    }),
    ("linspace", linspace),
    ("eye", eye),
    ("undefined", undefined),
    ("pad", pad),
    ("pad_by", |w, x, _, ty| {
        Ok(w.op("PadV2", &[&x[0], &x[2], &x[1]]).gives(ty.clone()))
    }),
    ("mirror_pad", mirror_pad),
    ("slice", slice),
    ("sum_to", sum_to),
];

/// An op with a vector of integers as its second operand.
fn with_ints(
    w: &mut Writer,
    op: &str,
    x: &[Tensor],
    values: &[i64],
    ty: &TensorType,
) -> Result<Tensor, String> {
    let values = w.ints(values);
    Ok(w.op(op, &[&x[0], &values]).gives(ty.clone()))
}

fn relax_shape(w: &mut Writer, x: &[Tensor], a: &Attrs, ty: &TensorType) -> Result<Tensor, String> {
    let shape = attributes::shape(shape_proto(a.shape("shape")?));
    Ok(w.op("EnsureShape", &[&x[0]])
        .attr("shape", shape)
        .gives(ty.clone()))
}

fn expand_dims(w: &mut Writer, x: &[Tensor], a: &Attrs, ty: &TensorType) -> Result<Tensor, String> {
    let at = w.int(a.int("axis")?);
    Ok(w.op("ExpandDims", &[&x[0], &at]).gives(ty.clone()))
}

fn squeeze(w: &mut Writer, x: &[Tensor], a: &Attrs, ty: &TensorType) -> Result<Tensor, String> {
    let axes = attributes::ints(a.ints("axes")?);
    Ok(w.op("Squeeze", &[&x[0]])
        .attr("squeeze_dims", axes)
        .gives(ty.clone()))
}

fn concat(w: &mut Writer, x: &[Tensor], a: &Attrs, ty: &TensorType) -> Result<Tensor, String> {
    let Some(first) = x.first() else {
        return Err("it has no operands".to_owned());
    };
    let at = axis(first, a.int("axis")?)?;
    // TensorFlow joins at least two.
    if x.len() == 1 {
        return Ok(w.identity(first));
    }
    let at = w.int(at);
    Ok(w.op("ConcatV2", &[]).list(x).with(&at).gives(ty.clone()))
}

fn stack(w: &mut Writer, x: &[Tensor], a: &Attrs, ty: &TensorType) -> Result<Tensor, String> {
    let at = attributes::int(a.int("axis")?);
    Ok(w.op("Pack", &[]).list(x).attr("axis", at).gives(ty.clone()))
}

fn fill(w: &mut Writer, x: &[Tensor], a: &Attrs, ty: &TensorType) -> Result<Tensor, String> {
    let shape = w.ints(a.ints("shape")?);
    Ok(w.op("Fill", &[&shape, &x[0]]).gives(ty.clone()))
}

fn linspace(w: &mut Writer, x: &[Tensor], a: &Attrs, ty: &TensorType) -> Result<Tensor, String> {
    let count = w.int(a.int("count")?);
    Ok(w.op("LinSpace", &[&x[0], &x[1], &count]).gives(ty.clone()))
}

fn eye(w: &mut Writer, _: &[Tensor], a: &Attrs, ty: &TensorType) -> Result<Tensor, String> {
    let (rows, columns) = (a.int("rows")?, a.int("cols")?);
    let (len, one) = (w.ints(&[rows.min(columns)]), w.number(1.0, ty.dtype));
    let ones = w.op("Fill", &[&len, &one]).of(ty.dtype);
    let (k, rows, columns) = (w.int(0), w.int(rows), w.int(columns));
    let zero = w.number(0.0, ty.dtype);
    Ok(w.op("MatrixDiagV3", &[&ones, &k, &rows, &columns, &zero])
        .gives(ty.clone()))
}

/// A value that is never used; sizes that aren't known are 0.
fn undefined(w: &mut Writer, _: &[Tensor], _: &Attrs, ty: &TensorType) -> Result<Tensor, String> {
    let dims = ty.shape.dims().unwrap_or_default();
    let sizes: Vec<i64> = dims.iter().map(|dim| dim.map_or(0, |n| n as i64)).collect();
    let (shape, zero) = (
        w.ints(&sizes),
        Tensor::constant(Array::zeros(ty.dtype, &[])),
    );
    Ok(w.op("Fill", &[&shape, &zero]).gives(ty.clone()))
}

/// The paddings as a matrix with a row for each axis.
fn paddings(a: &Attrs) -> Result<Tensor, String> {
    let (before, after) = (a.ints("before")?, a.ints("after")?);
    let rows: Vec<i64> = before
        .iter()
        .zip(after)
        .flat_map(|(before, after)| [*before, *after])
        .collect();
    Ok(Tensor::constant(Array::new(&[rows.len() / 2, 2], rows)))
}

fn pad(w: &mut Writer, x: &[Tensor], a: &Attrs, ty: &TensorType) -> Result<Tensor, String> {
    Ok(w.op("PadV2", &[&x[0], &paddings(a)?, &x[1]])
        .gives(ty.clone()))
}

fn mirror_pad(w: &mut Writer, x: &[Tensor], a: &Attrs, ty: &TensorType) -> Result<Tensor, String> {
    let mode = attributes::text(&a.text("mode")?.to_uppercase());
    Ok(w.op("MirrorPad", &[&x[0], &paddings(a)?])
        .attr("mode", mode)
        .gives(ty.clone()))
}

fn slice(w: &mut Writer, x: &[Tensor], a: &Attrs, ty: &TensorType) -> Result<Tensor, String> {
    let sizes = w.ints(a.ints("sizes")?);
    let sizes = w.cast(&sizes, x[1].dtype());
    Ok(w.op("Slice", &[&x[0], &x[1], &sizes]).gives(ty.clone()))
}

/// The sum over the axes that broadcasting repeated, under the shape before.
fn sum_to(w: &mut Writer, x: &[Tensor], _: &Attrs, ty: &TensorType) -> Result<Tensor, String> {
    let shape = w.shape(&x[0]);
    let shape = w.cast(&shape, x[1].dtype());
    let vector = graph_ir::types::TensorType::new(x[1].dtype(), Shape::of([None]));
    let axes = w.op("BroadcastGradientArgs", &[&shape, &x[1]]);
    let info = crate::tensorflow::export::body::ValueInfo::tensor(vector);
    let axes = axes.give(&[info.clone(), info]).swap_remove(1);
    let sum = w.op("Sum", &[&x[0], &axes]).of(ty.dtype);
    Ok(w.op("Reshape", &[&sum, &x[1]]).gives(ty.clone()))
}

#[cfg(test)]
mod tests {
    use graph_kernels::DType;

    use super::*;

    #[test]
    fn sizes_are_int32_unless_they_are_too_large() {
        let mut w = Writer::default();
        assert_eq!(w.ints(&[1, 2]).dtype(), DType::I32);
        assert_eq!(w.ints(&[1 << 40]).dtype(), DType::I64);
    }
}
