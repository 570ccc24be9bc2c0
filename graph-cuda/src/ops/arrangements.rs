//! Ops that put the slices of a tensor in another order, repeat them, or mirror them.

use std::sync::Arc;

use graph_kernels::{Array, DType, Dims, ElementOp, Mirror, Paddings, normalize_axis};

use super::parts::look_up;
use super::sources::coordinate;
use super::{Call, Outcome, Run, Trouble};
use crate::driver::Buffer;
use crate::kernels::{Along, Input, Kernels, Outside, Step, Target, View};
use crate::value::{Tensor, Value, integers};

pub const OPS: &[(&str, Run)] = &[
    ("roll", roll),
    ("repeat_each", repeat_each),
    ("reverse_sequence", reverse_sequence),
    ("mirror_pad", mirror_pad),
    ("diag", diag),
    ("set_diag", set_diag),
];

/// Copies the part of `x` that a view leads to to the part of a result that another one leads to.
fn move_part(
    kernels: &Kernels,
    out: &Buffer,
    shape: &[usize],
    to: View,
    (x, from): (&Tensor, View),
) -> Result<(), Trouble> {
    let input = x.input_by(from)?;
    let steps = vec![Step::Operand(0)];
    let target = Target::Part(out, to);
    Ok(kernels.map(&target, shape, x.dtype, steps, &[input])?)
}

/// Moves what is along each axis on by some positions; what leaves at the end comes in at the beginning.
fn roll(kernels: &Kernels, call: &Call<'_>) -> Outcome {
    let [x, shifts] = call.all()?;
    let shifts = integers(&*shifts.fetch()?);
    let shifts = shifts.ok_or(Trouble::NoKernel("the shifts aren't integers"))?;
    let axes = call.attrs.ints("axes")?;
    if shifts.len() != axes.len() {
        return Err(Trouble::NoKernel("there isn't one shift for each axis"));
    }
    let mut rolled = x.clone();
    for (axis, shift) in axes.iter().zip(shifts) {
        let axis = normalize_axis(*axis, x.shape.len())?;
        if x.shape[axis] > 0 {
            rolled = roll_axis(kernels, &rolled, axis, shift)?;
        }
    }
    Ok(rolled)
}

fn roll_axis(kernels: &Kernels, x: &Tensor, axis: usize, shift: i64) -> Outcome {
    let size = x.shape[axis];
    let places = shift.rem_euclid(size as i64) as usize;
    kernels.result(x.dtype, &x.shape, |out| {
        for (count, from, to) in [(size - places, 0, places), (places, size - places, 0)] {
            let mut shape = x.shape.clone();
            shape[axis] = count;
            let [from, to] = [from, to].map(|at| beginning(&x.shape, axis, at));
            move_part(kernels, out, &shape, to, (x, from))?;
        }
        Ok(())
    })
}

/// The view of a tensor that begins at a position of an axis.
fn beginning(shape: &[usize], axis: usize, at: usize) -> View {
    let mut view = View::of(shape);
    view.offset = at as i64 * view.strides[axis];
    view
}

/// Slices of an axis, each as often as its count says; the counts come to the host.
fn repeat_each(kernels: &Kernels, call: &Call<'_>) -> Outcome {
    let [x, counts] = call.all()?;
    let axis = normalize_axis(call.attrs.int("axis")?, x.shape.len())?;
    let counts = integers(&*counts.fetch()?);
    let counts = counts.ok_or(Trouble::NoKernel("the counts aren't integers"))?;
    if counts.len() != x.shape[axis] {
        return Err(Trouble::NoKernel("there isn't one count for each slice"));
    }
    let mut total = 0usize;
    for count in &counts {
        let sum = total.checked_add(usize::try_from(*count).unwrap_or(0));
        total = sum.ok_or(Trouble::NoKernel("the counts are too large"))?;
    }
    let mut shape = x.shape.clone();
    shape[axis] = total;
    // Too large a result is the CPU's to refuse, before the indices fill the host's memory.
    if total > u32::MAX as usize {
        return Err(Trouble::NoKernel("the result is too large"));
    }
    let slices = (0i64..).zip(&counts);
    let indices = slices.flat_map(|(slice, count)| {
        std::iter::repeat_n(slice, usize::try_from(*count).unwrap_or(0))
    });
    let indices = Array::new(&[total], indices.collect::<Vec<i64>>());
    let indices = Value::of_host(kernels.gpu(), Arc::new(indices))?;
    let mut view = View::still(shape.len());
    view.strides[axis] = 1;
    let mut start = View::of(&x.shape);
    let stride = std::mem::take(&mut start.strides[axis]);
    let along = vec![Along {
        indices: indices.input_by(view)?,
        size: x.shape[axis],
        stride,
    }];
    look_up(kernels, x, &shape, start, along, Outside::Wrong)
}

/// The first positions of an axis reversed, as many as the lengths along another axis say.
fn reverse_sequence(kernels: &Kernels, call: &Call<'_>) -> Outcome {
    let [x, lengths] = call.all()?;
    let rank = x.shape.len();
    let along = normalize_axis(call.attrs.int("seq_axis")?, rank)?;
    let batch = normalize_axis(call.attrs.int("batch_axis")?, rank)?;
    if along == batch || lengths.shape[..] != [x.shape[batch]] {
        return Err(Trouble::NoKernel("there isn't one length for each row"));
    }
    let dims = [x.shape[batch], x.shape[along]];
    let per_row = View {
        offset: 0,
        strides: [1, 0].into_iter().collect(),
    };
    let inputs = [lengths.input_by(per_row)?, coordinate(1, 2)];
    let mut steps = vec![Step::Operand(1), Step::Operand(0)];
    steps.push(match lengths.dtype {
        DType::I64 => Step::Operand(0),
        other => Step::Element(ElementOp::ToI64, other, vec![1]),
    });
    // Value 0 is the position, value 2 the length. A length below 0 gives a position that is wrong, as one that is too large does.
    let i64s = |op, operands| Step::Element(op, DType::I64, operands);
    steps.extend([
        Step::Constant(DType::I64, 1),
        Step::Constant(DType::I64, 0),
        i64s(ElementOp::Sub, vec![2, 3]),
        i64s(ElementOp::Sub, vec![5, 0]),
        i64s(ElementOp::Less, vec![0, 2]),
        i64s(ElementOp::Select, vec![7, 6, 0]),
        i64s(ElementOp::Less, vec![2, 4]),
        i64s(ElementOp::Select, vec![9, 2, 8]),
    ]);
    let indices = kernels.result(DType::I64, &dims, |out| {
        let target = Target::Whole(out);
        Ok(kernels.map(&target, &dims, DType::I64, steps, &inputs)?)
    })?;
    let mut view = View::still(rank);
    view.strides[batch] = dims[1] as i64;
    view.strides[along] = 1;
    let mut start = View::of(&x.shape);
    let stride = std::mem::take(&mut start.strides[along]);
    let positions = vec![Along {
        indices: indices.input_by(view)?,
        size: dims[1],
        stride,
    }];
    look_up(kernels, x, &x.shape, start, positions, Outside::Wrong)
}

/// A tensor with mirror images of its ends, axis after axis.
fn mirror_pad(kernels: &Kernels, call: &Call<'_>) -> Outcome {
    let x = call.operand()?;
    let mirror = Mirror::from_name(call.attrs.text("mode")?);
    let mirror = mirror.ok_or(Trouble::NoKernel("there is no such mirror"))?;
    let (before, after) = (call.attrs.ints("before")?, call.attrs.ints("after")?);
    let paddings = Paddings::new(before, after, x.shape.len())?;
    let mut padded = x.clone();
    for (axis, size) in x.shape.iter().enumerate() {
        mirror.check(paddings.at(axis), *size)?;
        if paddings.at(axis) != (0, 0) {
            padded = mirror_axis(kernels, &padded, axis, paddings.at(axis), mirror)?;
        }
    }
    Ok(padded)
}

fn mirror_axis(
    kernels: &Kernels,
    x: &Tensor,
    axis: usize,
    (before, after): (usize, usize),
    mirror: Mirror,
) -> Outcome {
    let size = x.shape[axis];
    let apart = usize::from(mirror == Mirror::Reflect);
    let mut shape = x.shape.clone();
    shape[axis] = before + size + after;
    // How many, from where and backwards or not, and to where.
    let middle = (size, 0, false, before);
    let front = (before, (before + apart).saturating_sub(1), true, 0);
    let last = size.saturating_sub(1 + apart);
    let back = (after, last, true, before + size);
    kernels.result(x.dtype, &shape, |out| {
        for (count, from, backwards, to) in [middle, front, back] {
            let mut part = x.shape.clone();
            part[axis] = count;
            let mut from = beginning(&x.shape, axis, from);
            if backwards {
                from.strides[axis] = -from.strides[axis];
            }
            move_part(kernels, out, &part, beginning(&shape, axis, to), (x, from))?;
        }
        Ok(())
    })
}

/// The view of a diagonal of matrices of this shape.
fn diagonal_of(shape: &[usize], diagonal: i64) -> Result<View, Trouble> {
    let mut view = View::of(shape);
    let (Some(column), Some(row)) = (view.strides.pop(), view.strides.pop()) else {
        return Err(Trouble::NoKernel("the operand has no two axes"));
    };
    view.offset = match diagonal {
        above @ 0.. => above * column,
        below => -below * row,
    };
    view.strides.push(row + column);
    Ok(view)
}

/// Matrices of zeros, but for a diagonal.
fn diag(kernels: &Kernels, call: &Call<'_>) -> Outcome {
    let (x, shape) = (call.operand()?, call.shape()?);
    let view = diagonal_of(shape, call.attrs.int("diagonal")?)?;
    kernels.result(x.dtype, shape, |out| {
        let zero = [Input::Value(x.dtype, 0)];
        let steps = vec![Step::Operand(0)];
        kernels.map(&Target::Whole(out), shape, x.dtype, steps, &zero)?;
        move_part(kernels, out, &x.shape, view, (x, View::of(&x.shape)))
    })
}

/// Matrices with another diagonal.
fn set_diag(kernels: &Kernels, call: &Call<'_>) -> Outcome {
    let [x, values] = call.all()?;
    let diagonal = call.attrs.int("diagonal")?;
    let [batch @ .., rows, columns] = &x.shape[..] else {
        return Err(Trouble::NoKernel("the operand has no two axes"));
    };
    let mut expected = Dims::from_slice(batch);
    expected.push(graph_kernels::diagonal_len(*rows, *columns, diagonal)?);
    if values.shape != expected {
        return Err(Trouble::NoKernel("the diagonal doesn't fit"));
    }
    let out = super::parts::to_change(kernels, x)?;
    let view = diagonal_of(&x.shape, diagonal)?;
    let own = View::of(&values.shape);
    move_part(kernels, &out, &values.shape, view, (values, own))?;
    Ok(Value::computed(x.dtype, &x.shape, out))
}
