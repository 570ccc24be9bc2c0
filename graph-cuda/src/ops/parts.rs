//! Ops that take parts of a tensor at positions, and that write parts.

use std::sync::Arc;

use graph_kernels::{Dims, batch_axes, normalize_axis};

use super::{Call, Outcome, Run, Trouble};
use crate::driver::Buffer;
use crate::kernels::{Along, Kernels, Lookup, Outside, Step, Target, View};
use crate::value::{Tensor, Value, integers};

pub const OPS: &[(&str, Run)] = &[
    ("index", index),
    ("index_axis", index_axis),
    ("gather", gather),
    ("batch_gather", gather),
    ("gather_nd", gather_nd),
    ("take_along_axis", take_along_axis),
    ("set_row", set_row),
    ("slice_rows", slice_rows),
    ("list_read", index),
    ("list_write", list_write),
];

/// A lookup in `x`.
pub fn look_up(
    kernels: &Kernels,
    x: &Tensor,
    shape: &[usize],
    start: View,
    along: Vec<Along<'_>>,
    outside: Outside,
) -> Outcome {
    let buffer = x.buffer()?.clone();
    // Nothing can be looked up in an empty tensor; the CPU says so.
    if x.count() == 0 && shape.iter().product::<usize>() > 0 {
        return Err(Trouble::NoKernel("the tensor is empty"));
    }
    kernels.result(x.dtype, shape, |out| {
        let lookup = Lookup {
            start,
            along,
            outside,
        };
        Ok(kernels.lookup(out, (x.dtype, &buffer), shape, &lookup)?)
    })
}

/// A scalar position that is known on the host, counted from the beginning; `None` if it must be looked up on the GPU.
fn known_position(position: &Tensor, size: usize) -> Result<Option<usize>, Trouble> {
    let Some(array) = position.known() else {
        return Ok(None);
    };
    let at = integers(array).and_then(|values| values.first().copied());
    let at = at.ok_or(Trouble::NoKernel("a position isn't an integer"))?;
    let at = if at < 0 { at + size as i64 } else { at };
    let at = usize::try_from(at).ok().filter(|at| *at < size);
    let outside = Trouble::NoKernel("a position is outside");
    at.map(Some).ok_or(outside)
}

/// The part at scalar positions of the first axes.
fn index(kernels: &Kernels, call: &Call<'_>) -> Outcome {
    let Some((x, positions)) = call.operands.split_first() else {
        return Err(Trouble::NoKernel("an operand is missing"));
    };
    at_positions(
        kernels,
        x,
        &(0..positions.len()).collect::<Vec<_>>(),
        positions,
    )
}

fn index_axis(kernels: &Kernels, call: &Call<'_>) -> Outcome {
    let [x, position] = call.all()?;
    let axis = normalize_axis(call.attrs.int("axis")?, x.shape.len())?;
    at_positions(kernels, x, &[axis], std::slice::from_ref(position))
}

/// The part at scalar positions of some axes.
fn at_positions(kernels: &Kernels, x: &Tensor, axes: &[usize], positions: &[Tensor]) -> Outcome {
    let mut view = View::of(&x.shape);
    let (mut shape, steps) = (x.shape.clone(), view.strides.clone());
    let rest: Vec<usize> = (0..shape.len())
        .filter(|axis| !axes.contains(axis))
        .collect();
    view.strides = rest.iter().map(|axis| steps[*axis]).collect();
    shape = rest.iter().map(|axis| shape[*axis]).collect();
    let mut along = Vec::new();
    for (axis, position) in axes.iter().zip(positions) {
        let size = x.shape[*axis];
        match known_position(position, size)? {
            Some(at) => view.offset += at as i64 * steps[*axis],
            None => along.push(Along {
                indices: position.input(&shape)?,
                size,
                stride: steps[*axis],
            }),
        }
    }
    if !along.is_empty() {
        return look_up(kernels, x, &shape, view, along, Outside::FromTheEnd);
    }
    let input = x.input_by(view)?;
    kernels.result(x.dtype, &shape, |out| {
        let steps = vec![Step::Operand(0)];
        Ok(kernels.map(&Target::Whole(out), &shape, x.dtype, steps, &[input])?)
    })
}

/// Slices of an axis at indices, which are in the place of the axis.
fn gather(kernels: &Kernels, call: &Call<'_>) -> Outcome {
    let [x, indices] = call.all()?;
    let shape = call.shape()?;
    let axis = normalize_axis(call.attrs.int("axis")?, x.shape.len())?;
    let batch = match call.op.name {
        "gather" => 0,
        _ => batch_axes(call.attrs.int("batch_dims")?, axis, indices.shape.len())?,
    };
    let places = indices.shape.len() - batch;
    let (own, of_indices) = (View::of(&x.shape), View::of(&indices.shape));
    let mut start = View::default();
    start.strides.extend_from_slice(&own.strides[..axis]);
    start.strides.extend((0..places).map(|_| 0));
    start.strides.extend_from_slice(&own.strides[axis + 1..]);
    let mut view = View::default();
    view.strides.extend_from_slice(&of_indices.strides[..batch]);
    view.strides.extend((batch..axis).map(|_| 0));
    view.strides.extend_from_slice(&of_indices.strides[batch..]);
    view.strides.extend((axis + 1..x.shape.len()).map(|_| 0));
    let along = vec![Along {
        indices: indices.input_by(view)?,
        size: x.shape[axis],
        stride: own.strides[axis],
    }];
    look_up(kernels, x, shape, start, along, Outside::Wrong)
}

/// Parts at rows of positions.
fn gather_nd(kernels: &Kernels, call: &Call<'_>) -> Outcome {
    let [x, indices] = call.all()?;
    let shape = call.shape()?;
    let Some((depth, outer)) = indices.shape.split_last() else {
        return Err(Trouble::NoKernel("indices must be at least a vector"));
    };
    let batch = batch_axes(
        call.attrs.int("batch_dims")?,
        outer.len().min(x.shape.len()),
        indices.shape.len(),
    )?;
    let own = View::of(&x.shape);
    let of_indices = View::of(&indices.shape);
    let rest = &own.strides[batch + depth..];
    let mut start = View::default();
    start.strides.extend_from_slice(&own.strides[..batch]);
    start.strides.extend((batch..outer.len()).map(|_| 0));
    start.strides.extend_from_slice(rest);
    let mut along = Vec::new();
    for part in 0..*depth {
        let mut view = View {
            offset: part as i64,
            ..View::default()
        };
        view.strides
            .extend_from_slice(&of_indices.strides[..outer.len()]);
        view.strides.extend(rest.iter().map(|_| 0));
        along.push(Along {
            indices: indices.input_by(view)?,
            size: x.shape[batch + part],
            stride: own.strides[batch + part],
        });
    }
    look_up(kernels, x, shape, start, along, Outside::Wrong)
}

/// For each index, the element at that position of its lane along the axis.
fn take_along_axis(kernels: &Kernels, call: &Call<'_>) -> Outcome {
    let [x, indices] = call.all()?;
    let shape = call.shape()?;
    let axis = normalize_axis(call.attrs.int("axis")?, x.shape.len())?;
    let own = View::of(&x.shape);
    let mut start = View::broadcast(&x.shape, &with_size(shape, axis, x.shape[axis]));
    start.strides[axis] = 0;
    let along = vec![Along {
        indices: indices.input(shape)?,
        size: x.shape[axis],
        stride: own.strides[axis],
    }];
    look_up(kernels, x, shape, start, along, Outside::Wrong)
}

/// A shape with another size of an axis.
pub fn with_size(shape: &[usize], axis: usize, size: usize) -> Dims {
    let mut shape = Dims::from_slice(shape);
    shape[axis] = size;
    shape
}

/// A copy of a value, which may be changed.
pub fn to_change(kernels: &Kernels, x: &Tensor) -> Result<Arc<Buffer>, Trouble> {
    let copy = kernels.room(x.dtype, &x.shape)?;
    kernels.copy(&copy, x.buffer()?)?;
    Ok(copy)
}

/// A copy with another row.
fn set_row(kernels: &Kernels, call: &Call<'_>) -> Outcome {
    let [x, position, row] = call.all()?;
    let rows = x.shape.first().copied();
    let rows = rows.ok_or(Trouble::NoKernel("a scalar has no rows"))?;
    if row.shape[..] != x.shape[1..] {
        return Err(Trouble::NoKernel("the row doesn't fit"));
    }
    // A write needs the position on the host.
    position.fetch()?;
    let at = known_position(position, rows)?;
    let at = at.ok_or(Trouble::NoKernel("the position isn't known"))?;
    write_row(kernels, x, at, row)
}

fn write_row(kernels: &Kernels, x: &Tensor, at: usize, row: &Tensor) -> Outcome {
    let out = to_change(kernels, x)?;
    let mut view = View::of(&x.shape);
    view.offset = at as i64 * view.strides[0];
    view.strides.remove(0);
    let input = row.input(&row.shape)?;
    let steps = vec![Step::Operand(0)];
    kernels.map(
        &Target::Part(&out, view),
        &row.shape,
        x.dtype,
        steps,
        &[input],
    )?;
    Ok(Value::computed(x.dtype, &x.shape, out))
}

/// Writes an element of a list that is long enough.
fn list_write(kernels: &Kernels, call: &Call<'_>) -> Outcome {
    let [list, position, row] = call.all()?;
    position.fetch()?;
    let size = list.shape.first().copied().unwrap_or(0);
    let at = position.known().and_then(|array| integers(array));
    let at = at.and_then(|values| usize::try_from(*values.first()?).ok());
    match at {
        Some(at) if at < size && row.shape[..] == list.shape[1..] => {
            write_row(kernels, list, at, row)
        }
        _ => Err(Trouble::NoKernel("the list grows")),
    }
}

/// Rows from one position up to another.
fn slice_rows(kernels: &Kernels, call: &Call<'_>) -> Outcome {
    let [x, begin, end] = call.all()?;
    let rows = x.shape.first().copied();
    let rows = rows.ok_or(Trouble::NoKernel("a scalar has no rows"))?;
    let mut limits = [0; 2];
    for (limit, position) in limits.iter_mut().zip([begin, end]) {
        let at = integers(&*position.fetch()?).and_then(|values| values.first().copied());
        let at = at.ok_or(Trouble::NoKernel("a position isn't an integer"))?;
        let at = if at < 0 {
            at.saturating_add(rows as i64)
        } else {
            at
        };
        *limit = at.clamp(0, rows as i64) as usize;
    }
    let [begin, end] = limits;
    let shape = with_size(&x.shape, 0, end.saturating_sub(begin));
    let mut view = View::of(&x.shape);
    view.offset = begin as i64 * view.strides[0];
    let input = x.input_by(view)?;
    kernels.result(x.dtype, &shape, |out| {
        let steps = vec![Step::Operand(0)];
        Ok(kernels.map(&Target::Whole(out), &shape, x.dtype, steps, &[input])?)
    })
}
