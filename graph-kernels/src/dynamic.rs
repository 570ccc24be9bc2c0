//! Ops whose shapes and bounds are operands: they are known at run time, not when the graph is built.

use crate::dispatch::{int_scalar, shape_text};
use crate::indices::{Index, Ints, int_vector, with_indices};
use crate::nest::row_major;
use crate::shape::View;
use crate::slices::AxisSlice;
use crate::{Array, Dims, KernelError, shape, source};

/// The sizes that an integer vector holds.
///
/// # Errors
/// If the operand isn't an integer vector, or a size is negative.
pub fn sizes_in(op: &str, sizes: &Array) -> Result<Dims, KernelError> {
    shape::sizes(&int_vector(op, sizes)?)
}

/// `x` reshaped to `sizes`, an integer vector; one size may be -1.
///
/// # Errors
/// As [`reshape`](crate::reshape).
pub fn reshape_to(x: &Array, sizes: &Array, out: &mut Array) -> Result<(), KernelError> {
    shape::reshape(x, &int_vector("reshape_to", sizes)?, out)
}

/// An array of shape `sizes` filled with the scalar `value`.
///
/// # Errors
/// As [`fill`](crate::fill).
pub fn fill_to(value: &Array, sizes: &Array, out: &mut Array) -> Result<(), KernelError> {
    source::fill(value, &int_vector("fill_to", sizes)?, out)
}

/// `x` broadcast to the shape `sizes`.
///
/// # Errors
/// As [`broadcast_to`](crate::broadcast_to).
pub fn broadcast_as(x: &Array, sizes: &Array, out: &mut Array) -> Result<(), KernelError> {
    shape::broadcast_to(x, &int_vector("broadcast_as", sizes)?, out)
}

/// `x` repeated as often along each axis as `multiples` says.
///
/// # Errors
/// As [`tile`](crate::tile).
pub fn tile_by(x: &Array, multiples: &Array, out: &mut Array) -> Result<(), KernelError> {
    shape::tile(x, &int_vector("tile_by", multiples)?, out)
}

/// The part of `x` that begins at `begins` and has the given sizes; -1 means all that is left.
///
/// # Errors
/// `Expected size[0] in [0, 2], but got 3`, `Expected begin[0] in [0, 3], but got -1`, or if there isn't one begin and one
/// size for each axis.
pub fn slice(x: &Array, begins: &Array, sizes: &[i64], out: &mut Array) -> Result<(), KernelError> {
    box_at(x.shape(), begins, sizes)?.copy(x, out)
}

/// The part of an array of a shape that begins at `begins` and has the given sizes.
///
/// # Errors
/// As [`slice`](fn@slice).
pub(crate) fn box_at(whole: &[usize], begins: &Array, sizes: &[i64]) -> Result<View, KernelError> {
    let begins = int_vector("slice", begins)?;
    if begins.len() != whole.len() || sizes.len() != whole.len() {
        return Err(KernelError::Shape(format!(
            "Expected begin and size arguments to be 1-D tensors of size {}, but got shapes [{}] and [{}] instead.",
            whole.len(),
            begins.len(),
            sizes.len()
        )));
    }
    let strides = row_major(whole);
    let (mut start, mut shape) = (0, Dims::new());
    for (axis, whole) in whole.iter().enumerate() {
        let (begin, size) = part(axis, *whole, begins[axis], sizes[axis])?;
        start += begin * strides[axis] as usize;
        shape.push(size);
    }
    Ok(View {
        start,
        strides,
        shape,
    })
}

/// The begin and the length of a slice of an axis.
fn part(axis: usize, whole: usize, begin: i64, size: i64) -> Result<(usize, usize), KernelError> {
    let wrong = |what: &str, most: usize, got: i64| {
        KernelError::Value(format!(
            "Expected {what}[{axis}] in [0, {most}], but got {got}"
        ))
    };
    let within = |n: i64, most: usize| usize::try_from(n).ok().filter(|n| *n <= most);
    let begin = within(begin, whole).ok_or_else(|| wrong("begin", whole, begin))?;
    let rest = whole - begin;
    let size = match size {
        -1 => rest,
        _ => within(size, rest).ok_or_else(|| wrong("size", rest, size))?,
    };
    Ok((begin, size))
}

/// [`slice`](fn@slice) whose sizes are an operand.
///
/// # Errors
/// As [`slice`](fn@slice).
pub fn slice_to(
    x: &Array,
    begins: &Array,
    sizes: &Array,
    out: &mut Array,
) -> Result<(), KernelError> {
    slice(x, begins, &int_vector("slice_to", sizes)?, out)
}

/// The positions `begin..end` of an axis with stride `step`, all integer scalars, clipped as NumPy does. If bit 1 of the mask is set,
/// `begin` is ignored; if bit 2 is set, `end` is.
///
/// # Errors
/// `slice step cannot be zero`, or if the axis doesn't exist.
pub fn slice_axis(
    x: &Array,
    bounds: [&Array; 3],
    axis: i64,
    mask: i64,
    out: &mut Array,
) -> Result<(), KernelError> {
    crate::strided_slice(x, [axis_slice(bounds, axis, mask)?], out)
}

/// The operands of [`slice_axis`] as an [`AxisSlice`].
///
/// # Errors
/// If a bound isn't an integer scalar.
pub(crate) fn axis_slice(
    [begin, end, step]: [&Array; 3],
    axis: i64,
    mask: i64,
) -> Result<AxisSlice, KernelError> {
    let at = |bit: i64, bound: &Array| {
        let bound = int_scalar("slice_axis", bound)?;
        Ok::<_, KernelError>((mask & bit == 0).then_some(bound))
    };
    Ok(AxisSlice {
        axis,
        begin: at(1, begin)?,
        end: at(2, end)?,
        step: int_scalar("slice_axis", step)?,
    })
}

/// `x` padded with `value`: `paddings`, `[rank, 2]`, holds the number of values before and behind each axis.
///
/// # Errors
/// As [`pad`](crate::pad), or if `paddings` isn't of shape `[rank, 2]`.
pub fn pad_by(
    x: &Array,
    value: &Array,
    paddings: &Array,
    out: &mut Array,
) -> Result<(), KernelError> {
    let pairs = match paddings.shape() {
        [_, 2] => flat(paddings)?,
        other => {
            return Err(KernelError::Shape(format!(
                "paddings must be a matrix with 2 columns: {}",
                shape_text(other)
            )));
        }
    };
    let side = |n: usize| -> Ints { pairs.iter().skip(n).step_by(2).copied().collect() };
    crate::pad(x, value, &side(0), &side(1), out)
}

/// The integers of an operand, row-major.
fn flat(x: &Array) -> Result<Ints, KernelError> {
    with_indices!("pad_by", x, v => Ok(v.iter().map(|n| n.wide()).collect()))
}
