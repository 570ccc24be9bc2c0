//! Reading and replacing parts of arrays by position.

use graph_ir::ops::Attrs;
use graph_ir::types::TensorType;
use graph_kernels::DType;

use super::Rules;
use super::common::from_start;
use super::slices::Part;
use crate::tensorflow::attributes;
use crate::tensorflow::export::body::Tensor;
use crate::tensorflow::export::writer::Writer;

pub(super) const RULES: Rules = &[
    ("index", |w, x, _, ty| {
        Ok(positions(w, &x[1..]).take(w, &x[0]).gives(ty.clone()))
    }),
    ("index_add", |w, x, _, ty| {
        Ok(positions(w, &x[2..]).add(w, &x[0], &x[1]).gives(ty.clone()))
    }),
    ("index_axis", index_axis),
    ("strided_slice", strided_slice),
    ("strided_slice_add", strided_slice_add),
    ("slice_rows", slice_rows),
    ("slice_axis", slice_axis),
    ("slice_axis_add", slice_axis_add),
    ("slice_add", slice_add),
    ("set_row", |w, x, _, ty| {
        Ok(positions(w, &x[1..2])
            .replace(w, &x[0], &x[2])
            .gives(ty.clone()))
    }),
    ("set_part", set_part),
    ("one_hot", one_hot),
    ("boolean_mask", boolean_mask),
];

/// Positions of the first axes.
fn positions(w: &mut Writer, positions: &[Tensor]) -> Part {
    let mut part = Part::default();
    for (axis, position) in positions.iter().enumerate() {
        part.at(w, axis, position);
    }
    part
}

fn index_axis(w: &mut Writer, x: &[Tensor], a: &Attrs, ty: &TensorType) -> Result<Tensor, String> {
    let mut part = Part::default();
    part.at(w, from_start(&x[0], a.int("axis")?)?, &x[1]);
    Ok(part.take(w, &x[0]).gives(ty.clone()))
}

fn strided_slice(
    w: &mut Writer,
    x: &[Tensor],
    a: &Attrs,
    ty: &TensorType,
) -> Result<Tensor, String> {
    let part = Part::of_attributes(w, &x[0], a)?;
    Ok(part.take(w, &x[0]).gives(ty.clone()))
}

fn strided_slice_add(
    w: &mut Writer,
    x: &[Tensor],
    a: &Attrs,
    ty: &TensorType,
) -> Result<Tensor, String> {
    let part = Part::of_attributes(w, &x[0], a)?;
    Ok(part.add(w, &x[0], &x[1]).gives(ty.clone()))
}

fn slice_rows(w: &mut Writer, x: &[Tensor], _: &Attrs, ty: &TensorType) -> Result<Tensor, String> {
    let (mut part, step) = (Part::default(), w.int(1));
    part.between(w, 0, [&x[1], &x[2], &step], 0);
    Ok(part.take(w, &x[0]).gives(ty.clone()))
}

/// The part of one axis that three operands describe.
fn of_axis(w: &mut Writer, x: &Tensor, bounds: &[Tensor], a: &Attrs) -> Result<Part, String> {
    let [begin, end, step] = bounds else {
        return Err("it takes begin, end and step".to_owned());
    };
    let mut part = Part::default();
    part.between(
        w,
        from_start(x, a.int("axis")?)?,
        [begin, end, step],
        a.int("mask")?,
    );
    Ok(part)
}

fn slice_axis(w: &mut Writer, x: &[Tensor], a: &Attrs, ty: &TensorType) -> Result<Tensor, String> {
    let part = of_axis(w, &x[0], &x[1..], a)?;
    Ok(part.take(w, &x[0]).gives(ty.clone()))
}

fn slice_axis_add(
    w: &mut Writer,
    x: &[Tensor],
    a: &Attrs,
    ty: &TensorType,
) -> Result<Tensor, String> {
    let part = of_axis(w, &x[0], &x[2..], a)?;
    Ok(part.add(w, &x[0], &x[1]).gives(ty.clone()))
}

/// The array with values added to the part that begins at a position.
fn slice_add(w: &mut Writer, x: &[Tensor], _: &Attrs, ty: &TensorType) -> Result<Tensor, String> {
    let [array, values, begin] = x else {
        return Err("it takes three operands".to_owned());
    };
    let sizes = w.shape(values);
    let sizes = w.cast(&sizes, begin.dtype());
    let part = w.op("Slice", &[array, begin, &sizes]).of(ty.dtype);
    let sum = w.binary("AddV2", &part, values);
    let end = w.binary("AddV2", begin, &sizes);
    let (shape, one) = (
        w.op("Shape", &[begin]).of(DType::I32),
        Tensor::constant(graph_kernels::Array::scalar(1i32)),
    );
    let one = w.cast(&one, begin.dtype());
    let steps = w.op("Fill", &[&shape, &one]).of(begin.dtype());
    Ok(w.op(
        "TensorStridedSliceUpdate",
        &[array, begin, &end, &steps, &sum],
    )
    .gives(ty.clone()))
}

fn set_part(w: &mut Writer, x: &[Tensor], a: &Attrs, ty: &TensorType) -> Result<Tensor, String> {
    let (mut part, masks) = (Part::default(), a.ints("masks")?);
    let bounds = x[2..]
        .chunks_exact(3)
        .zip(a.ints("axes")?.iter().zip(masks));
    for (bounds, (axis, mask)) in bounds {
        let axis = from_start(&x[0], *axis)?;
        match mask & 4 {
            0 => part.between(w, axis, [&bounds[0], &bounds[1], &bounds[2]], *mask),
            _ => part.at(w, axis, &bounds[0]),
        }
    }
    // TensorFlow's op doesn't broadcast the value.
    let before = part.take(w, &x[0]).of(ty.dtype);
    let shape = w.op("Shape", &[&before]).of(DType::I32);
    let value = w.binary("BroadcastTo", &x[1], &shape);
    Ok(part.replace(w, &x[0], &value).gives(ty.clone()))
}

fn one_hot(w: &mut Writer, x: &[Tensor], a: &Attrs, ty: &TensorType) -> Result<Tensor, String> {
    let depth = w.int(a.int("depth")?);
    let (on, off) = (w.number(1.0, ty.dtype), w.number(0.0, ty.dtype));
    let hot = w.op("OneHot", &[&x[0], &depth, &on, &off]);
    Ok(hot.attr("axis", attributes::int(-1)).gives(ty.clone()))
}

fn boolean_mask(
    w: &mut Writer,
    x: &[Tensor],
    _: &Attrs,
    ty: &TensorType,
) -> Result<Tensor, String> {
    let positions = w.op("Where", &[&x[1]]).of(DType::I64);
    Ok(w.op("GatherNd", &[&x[0], &positions]).gives(ty.clone()))
}
