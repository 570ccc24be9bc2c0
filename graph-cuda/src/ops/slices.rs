//! Slices: views of a part of a tensor, which is copied, added to or replaced.

use graph_ir::ops;
use graph_kernels::{AxisSlice, Dims, ElementOp, normalize_axis};

use super::moves::copy;
use super::parts::to_change;
use super::{Call, Outcome, Run, Trouble};
use crate::kernels::{Kernels, Step, Target, View};
use crate::value::{Tensor, Value, integers};

pub const OPS: &[(&str, Run)] = &[
    ("strided_slice", strided_slice),
    ("slice", slice),
    ("slice_to", slice_to),
    ("slice_axis", slice_axis),
    ("strided_slice_add", strided_slice_add),
    ("slice_add", slice_add),
    ("slice_axis_add", slice_axis_add),
    ("set_part", set_part),
];

/// A part of a tensor: where it is, and its shape.
struct Part {
    view: View,
    shape: Dims,
}

/// The part that slices select of a tensor of a shape.
fn sliced(whole: &[usize], slices: impl IntoIterator<Item = AxisSlice>) -> Result<Part, Trouble> {
    let mut part = Part {
        view: View::of(whole),
        shape: Dims::from_slice(whole),
    };
    for slice in slices {
        let axis = normalize_axis(slice.axis, whole.len())?;
        let (begin, count) = slice.resolve(whole[axis])?;
        let stride = &mut part.view.strides[axis];
        part.view.offset += begin as i64 * *stride;
        // With one position no step is made, so a step may be huge.
        *stride = if count > 1 { *stride * slice.step } else { 0 };
        part.shape[axis] = count;
    }
    Ok(part)
}

/// The part that begins at positions and has these sizes; -1 means all that is left.
fn box_at(whole: &[usize], begins: &[i64], sizes: &[i64]) -> Result<Part, Trouble> {
    let outside = || Trouble::NoKernel("the part is outside of the tensor");
    if begins.len() != whole.len() || sizes.len() != whole.len() {
        return Err(outside());
    }
    let mut part = Part {
        view: View::of(whole),
        shape: Dims::new(),
    };
    for (axis, (begin, size)) in begins.iter().zip(sizes).enumerate() {
        let rest = usize::try_from(*begin)
            .ok()
            .and_then(|begin| whole[axis].checked_sub(begin))
            .ok_or_else(outside)?;
        let size = match size {
            -1 => rest,
            size => usize::try_from(*size).map_err(|_| outside())?,
        };
        if size > rest {
            return Err(outside());
        }
        part.view.offset += begin * part.view.strides[axis];
        part.shape.push(size);
    }
    Ok(part)
}

/// The integers of an operand, which come to the host.
fn fetched(x: &Tensor) -> Result<Vec<i64>, Trouble> {
    integers(&*x.fetch()?).ok_or(Trouble::NoKernel("an operand isn't of integers"))
}

/// The slice of an axis whose begin, end and step are operands.
fn axis_slice(bounds: &[Tensor], axis: i64, mask: i64) -> Result<AxisSlice, Trouble> {
    let mut numbers = [0; 3];
    for (number, bound) in numbers.iter_mut().zip(bounds) {
        let only = fetched(bound)?.first().copied();
        *number = only.ok_or(Trouble::NoKernel("a bound isn't a scalar"))?;
    }
    let [begin, end, step] = numbers;
    Ok(AxisSlice {
        axis,
        begin: (mask & 1 == 0).then_some(begin),
        end: (mask & 2 == 0).then_some(end),
        step,
    })
}

/// A copy of a part.
fn copied(kernels: &Kernels, x: &Tensor, part: Part) -> Outcome {
    copy(kernels, x, part.view, &part.shape)
}

/// A copy of a tensor with a value added to a part of it.
fn added(kernels: &Kernels, x: &Tensor, part: Part, value: &Tensor) -> Outcome {
    if value.shape != part.shape {
        return Err(Trouble::NoKernel("the part has another shape"));
    }
    let out = to_change(kernels, x)?;
    let inputs = [
        x.input_by(part.view.clone())?,
        value.input_by(View::of(&part.shape))?,
    ];
    let steps = vec![
        Step::Operand(0),
        Step::Operand(1),
        Step::Element(ElementOp::Add, x.dtype, vec![0, 1]),
    ];
    let target = Target::Part(&out, part.view);
    kernels.map(&target, &part.shape, x.dtype, steps, &inputs)?;
    Ok(Value::computed(x.dtype, &x.shape, out))
}

fn strided_slice(kernels: &Kernels, call: &Call<'_>) -> Outcome {
    let x = call.operand()?;
    let part = sliced(&x.shape, ops::slices(call.attrs)?)?;
    copied(kernels, x, part)
}

fn slice(kernels: &Kernels, call: &Call<'_>) -> Outcome {
    let [x, begins] = call.all()?;
    let part = box_at(&x.shape, &fetched(begins)?, call.attrs.ints("sizes")?)?;
    copied(kernels, x, part)
}

fn slice_to(kernels: &Kernels, call: &Call<'_>) -> Outcome {
    let [x, begins, sizes] = call.all()?;
    let part = box_at(&x.shape, &fetched(begins)?, &fetched(sizes)?)?;
    copied(kernels, x, part)
}

/// The part of `x` that a slice of one axis selects, given by operands.
fn along_axis(call: &Call<'_>, x: &Tensor, bounds: &[Tensor]) -> Result<Part, Trouble> {
    let (axis, mask) = (call.attrs.int("axis")?, call.attrs.int("mask")?);
    sliced(&x.shape, [axis_slice(bounds, axis, mask)?])
}

fn slice_axis(kernels: &Kernels, call: &Call<'_>) -> Outcome {
    let [x, bounds @ ..] = call.all::<4>()?;
    copied(kernels, x, along_axis(call, x, bounds)?)
}

fn strided_slice_add(kernels: &Kernels, call: &Call<'_>) -> Outcome {
    let [x, value] = call.all()?;
    let part = sliced(&x.shape, ops::slices(call.attrs)?)?;
    added(kernels, x, part, value)
}

fn slice_add(kernels: &Kernels, call: &Call<'_>) -> Outcome {
    let [x, value, begins] = call.all()?;
    let sizes: Vec<i64> = value.shape.iter().map(|size| *size as i64).collect();
    let part = box_at(&x.shape, &fetched(begins)?, &sizes)?;
    added(kernels, x, part, value)
}

fn slice_axis_add(kernels: &Kernels, call: &Call<'_>) -> Outcome {
    let [x, value, bounds @ ..] = call.all::<5>()?;
    added(kernels, x, along_axis(call, x, bounds)?, value)
}

/// The bit of a mask that selects a single position, whose axis is dropped.
const POSITION: i64 = 4;

/// A copy with a value, which broadcasts, in a part.
fn set_part(kernels: &Kernels, call: &Call<'_>) -> Outcome {
    let [x, value, bounds @ ..] = call.operands else {
        return Err(Trouble::NoKernel("an operand is missing"));
    };
    let (axes, masks) = (call.attrs.ints("axes")?, call.attrs.ints("masks")?);
    if bounds.len() != 3 * axes.len() || masks.len() != axes.len() {
        return Err(Trouble::NoKernel("an operand is missing"));
    }
    let (mut slices, mut gone) = (Vec::new(), vec![false; x.shape.len()]);
    for ((bounds, axis), mask) in bounds.chunks(3).zip(axes).zip(masks) {
        let mut slice = axis_slice(bounds, *axis, *mask)?;
        if mask & POSITION != 0 {
            let axis = normalize_axis(*axis, x.shape.len())?;
            let size = x.shape[axis] as i64;
            let at = slice.begin.unwrap_or(0);
            let at = if at < 0 { at.saturating_add(size) } else { at };
            if !(0..size).contains(&at) {
                return Err(Trouble::NoKernel("a position is outside"));
            }
            slice.begin = Some(at);
            slice.end = Some(at + 1);
            slice.step = 1;
            gone[axis] = true;
        }
        slices.push(slice);
    }
    let mut part = sliced(&x.shape, slices)?;
    for axis in (0..gone.len()).rev().filter(|axis| gone[*axis]) {
        part.view.strides.remove(axis);
        part.shape.remove(axis);
    }
    if !broadcasts(&value.shape, &part.shape) {
        return Err(Trouble::NoKernel("the value doesn't fit"));
    }
    let out = to_change(kernels, x)?;
    let input = value.input(&part.shape)?;
    let (target, steps) = (Target::Part(&out, part.view), vec![Step::Operand(0)]);
    kernels.map(&target, &part.shape, x.dtype, steps, &[input])?;
    Ok(Value::computed(x.dtype, &x.shape, out))
}

/// Whether a value of a shape broadcasts to another shape.
fn broadcasts(own: &[usize], shape: &[usize]) -> bool {
    let mut pairs = own.iter().rev().zip(shape.iter().rev());
    own.len() <= shape.len() && pairs.all(|(own, size)| own == size || *own == 1)
}
