//! Parts of an array by position, and their gradients, which add to these parts.

use graph_ir::ops::{self, Attrs, OpDef};
use graph_kernels::{AxisSlice, DType};

use super::common::{as_vector, choose, compare, gather, join, numbers, slice, unsqueeze};
use super::parts::{self, Meets};
use super::{Use, Write, Written};
use crate::onnx::export::writer::{Tensor, Writer};

pub(super) static ROWS: &[(&OpDef, Write)] = &[
    (&ops::INDEX, index),
    (&ops::INDEX_AXIS, index_axis),
    (&ops::STRIDED_SLICE, strided_slice),
    (&ops::SLICE_ROWS, slice_rows),
    (&ops::SET_ROW, set_row),
    (&ops::SET_PART, set_part),
    (&ops::ONE_HOT, one_hot),
    (&ops::BOOLEAN_MASK, boolean_mask),
    (&ops::INDEX_ADD, index_add),
    (&ops::STRIDED_SLICE_ADD, strided_slice_add),
    (&ops::SLICE_AXIS_ADD, slice_axis_add),
    (&ops::SLICE_ADD, slice_add),
    (&ops::SLICE_AXIS, |u| {
        axis_part(u.w, &u.x[0], &u.x[1..], u.attrs)
    }),
    (&ops::SLICE, |u| {
        let sizes = u.w.ints(u.attrs.ints("sizes")?);
        Ok(sized_part(u.w, &u.x[0], &u.x[1], &sizes))
    }),
    (&ops::SLICE_TO, |u| {
        Ok(sized_part(u.w, &u.x[0], &u.x[1], &u.x[2]))
    }),
];

fn index(u: &mut Use<'_>) -> Written {
    Ok(indexed(u.w, &u.x[0], &u.x[1..]))
}

/// The part at positions of the first axes.
fn indexed(w: &mut Writer, x: &Tensor, positions: &[Tensor]) -> Tensor {
    if let [position] = positions {
        return gather(w, x, position, 0);
    }
    let positions: Vec<Tensor> = positions.iter().map(|at| as_vector(w, at)).collect();
    let positions: Vec<&Tensor> = positions.iter().collect();
    let positions = join(w, &positions);
    w.op("GatherND", &[x, &positions]).of(x.dtype())
}

fn index_axis(u: &mut Use<'_>) -> Written {
    let axis = u.attrs.int("axis")?;
    Ok(gather(u.w, &u.x[0], &u.x[1], axis))
}

fn strided_slice(u: &mut Use<'_>) -> Written {
    strided(u.w, &u.x[0], u.attrs)
}

/// Begin and end as ONNX takes them: it clips, so that what isn't given is beyond the array.
fn bounds(slice: &AxisSlice) -> [i64; 2] {
    let (first, end) = match slice.step {
        forward if forward >= 0 => (0, i64::MAX),
        _ => (i64::MAX, i64::MIN),
    };
    [slice.begin.unwrap_or(first), slice.end.unwrap_or(end)]
}

fn strided(w: &mut Writer, x: &Tensor, attrs: &Attrs) -> Written {
    let slices = ops::slices(attrs)?;
    if slices.is_empty() {
        return Ok(w.identity(x));
    }
    let [mut begins, mut ends] = [Vec::new(), Vec::new()];
    for slice in &slices {
        let [begin, end] = bounds(slice);
        begins.push(begin);
        ends.push(end);
    }
    let axes: Vec<i64> = slices.iter().map(|slice| slice.axis).collect();
    let steps: Vec<i64> = slices.iter().map(|slice| slice.step).collect();
    let [begins, ends, axes, steps] = [begins, ends, axes, steps].map(|list| w.ints(&list));
    Ok(slice(w, x, [&begins, &ends, &axes, &steps]))
}

fn slice_rows(u: &mut Use<'_>) -> Written {
    let (begin, end) = (as_vector(u.w, &u.x[1]), as_vector(u.w, &u.x[2]));
    let (axis, step) = (u.w.ints(&[0]), u.w.ints(&[1]));
    Ok(slice(u.w, &u.x[0], [&begin, &end, &axis, &step]))
}

/// Positions from an operand on, as many of each axis as the sizes say; -1 means the rest. ONNX slices no scalars.
fn sized_part(w: &mut Writer, x: &Tensor, begins: &Tensor, sizes: &Tensor) -> Tensor {
    if x.ty.shape.rank() == Some(0) {
        return w.identity(x);
    }
    let (begins, sizes) = (w.cast(begins, DType::I64), w.cast(sizes, DType::I64));
    let ends = w.op("Add", &[&begins, &sizes]).of(DType::I64);
    let (rest, end) = (compare(w, "Less", &sizes, 0.0), w.int(i64::MAX));
    let ends = choose(w, &rest, &end, &ends);
    w.op("Slice", &[x, &begins, &ends]).of(x.dtype())
}

/// The part of one axis between bounds that are operands: begin, end, step.
fn axis_part(w: &mut Writer, x: &Tensor, bounds: &[Tensor], attrs: &Attrs) -> Written {
    part_of_axis(w, x, bounds, attrs.int("axis")?, attrs.int("mask")?)
}

fn part_of_axis(w: &mut Writer, x: &Tensor, bounds: &[Tensor], axis: i64, mask: i64) -> Written {
    let [begin, end, step] = bounds else {
        return Err("an axis has three bounds".to_owned());
    };
    let [mut begin, mut end, step] = [begin, end, step].map(|bound| as_vector(w, bound));
    if mask & 3 != 0 {
        let backwards = compare(w, "Less", &step, 0.0);
        let [zero, least, most] = [0, i64::MIN, i64::MAX].map(|n| w.ints(&[n]));
        if mask & 1 != 0 {
            begin = choose(w, &backwards, &most, &zero);
        }
        if mask & 2 != 0 {
            end = choose(w, &backwards, &least, &most);
        }
    }
    let axis = w.ints(&[axis]);
    Ok(slice(w, x, [&begin, &end, &axis, &step]))
}

/// `ScatterND` with one position of one row.
fn set_row(u: &mut Use<'_>) -> Written {
    let position = as_vector(u.w, &u.x[1]);
    let (position, row) = (
        unsqueeze(u.w, &position, &[0]),
        unsqueeze(u.w, &u.x[2], &[0]),
    );
    Ok(u.result("ScatterND", &[&u.x[0], &position, &row]))
}

fn set_part(u: &mut Use<'_>) -> Written {
    let (axes, masks) = (u.attrs.ints("axes")?, u.attrs.ints("masks")?);
    let mut part = parts::positions(u.w, &u.x[0]);
    let mut gone = Vec::new();
    for ((axis, mask), bounds) in axes.iter().zip(masks).zip(u.x[2..].chunks(3)) {
        if mask & 4 != 0 {
            let at = as_vector(u.w, &bounds[0]);
            part = gather(u.w, &part, &at, *axis);
            gone.push(*axis);
        } else {
            part = part_of_axis(u.w, &part, bounds, *axis, *mask)?;
        }
    }
    if !gone.is_empty() {
        let gone = u.w.ints(&gone);
        part = u.w.op("Squeeze", &[&part, &gone]).of(DType::I64);
    }
    Ok(parts::write(u.w, &u.x[0], &part, &u.x[1], Meets::Replaces))
}

/// 1 where the last axis counts to the index. (`OneHot` would count negative ones from the end.)
fn one_hot(u: &mut Use<'_>) -> Written {
    let depth = u.attrs.int("depth")?;
    let depth = usize::try_from(depth).map_err(|_| format!("{depth} is no depth"))?;
    let positions = u.w.cast(&u.x[0], DType::I64);
    let positions = unsqueeze(u.w, &positions, &[-1]);
    let numbers = numbers(u.w, depth, &[depth]);
    let hot = u.w.op("Equal", &[&positions, &numbers]).of(DType::Bool);
    Ok(u.w.cast(&hot, u.ty.dtype))
}

/// The leading axes become one, as `Compress` takes one axis.
fn boolean_mask(u: &mut Use<'_>) -> Written {
    let rank = u.x[1].rank()?;
    let (mut x, mut mask) = (u.x[0].clone(), u.x[1].clone());
    if rank != 1 {
        mask = super::common::flat(u.w, &mask);
        let leading = u.w.op("Size", &[&mask]).of(DType::I64);
        let leading = as_vector(u.w, &leading);
        let rest = super::common::sizes_between(u.w, &x, rank, None);
        let shape = join(u.w, &[&leading, &rest]);
        x = super::common::reshape(u.w, &x, &shape);
    }
    let ty = u.ty.clone();
    Ok(u.w.op("Compress", &[&x, &mask]).int("axis", 0).gives(ty))
}

/// The array with the second operand added to the part that a function takes of an array.
fn added(u: &mut Use<'_>, part: impl FnOnce(&mut Writer, &Tensor) -> Written) -> Written {
    let positions = parts::positions(u.w, &u.x[0]);
    let part = part(u.w, &positions)?;
    Ok(parts::write(u.w, &u.x[0], &part, &u.x[1], Meets::Adds))
}

fn index_add(u: &mut Use<'_>) -> Written {
    let at = &u.x[2..];
    added(u, |w, positions| Ok(indexed(w, positions, at)))
}

fn strided_slice_add(u: &mut Use<'_>) -> Written {
    let attrs = u.attrs;
    added(u, |w, positions| strided(w, positions, attrs))
}

fn slice_axis_add(u: &mut Use<'_>) -> Written {
    let (bounds, attrs) = (&u.x[2..], u.attrs);
    added(u, |w, positions| axis_part(w, positions, bounds, attrs))
}

/// The part has the sizes of what is added.
fn slice_add(u: &mut Use<'_>) -> Written {
    let (value, begins) = (&u.x[1], &u.x[2]);
    added(u, |w, positions| {
        let sizes = super::common::sizes(w, value);
        Ok(sized_part(w, positions, begins, &sizes))
    })
}
