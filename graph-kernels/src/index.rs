//! Ops that take parts of an array by index, and the op that writes one row.

use smallvec::SmallVec;

use crate::along::normalize_axis;
use crate::array::same_shape;
use crate::dispatch::{alike_mut, dispatch, int_scalar, shape_text, typed, undefined};
use crate::indices::from_the_end;
use crate::indices::{Index, with_indices};
use crate::indices::{position, row_at};
use crate::nest::row_major;
use crate::shape::strided;
use crate::slices::{AxisSlice, sliced};
use crate::{Array, DType, Dims, Element, KernelError, cast};

fn value_error(text: String) -> KernelError {
    KernelError::Value(text)
}

/// The number of rows of an array: the size of axis 0.
fn row_count(op: &str, x: &Array) -> Result<usize, KernelError> {
    let text = || KernelError::Shape(format!("`{op}` takes an array with at least one axis"));
    x.shape().first().copied().ok_or_else(text)
}

/// The part at the given positions of the first axes, without these axes. Each position is an integer scalar; negative ones count from
/// the end.
///
/// # Errors
/// `slice index 4 of dimension 0 out of bounds.`
pub fn index(x: &Array, positions: &[&Array], out: &mut Array) -> Result<(), KernelError> {
    let (row, inner) = row_at("index", x, positions)?;
    let len: usize = inner.iter().product();
    dispatch!(moved x, v => {
        out.reset_like(x, inner)?.clone_from_slice(&v[row * len..(row + 1) * len]);
        Ok(())
    })
}

/// The slice of an axis at `i`, without the axis; a negative position counts from the end.
///
/// # Errors
/// `slice index 5 of dimension 1 out of bounds.`
pub fn index_axis(x: &Array, i: &Array, axis: i64, out: &mut Array) -> Result<(), KernelError> {
    let axis = normalize_axis(axis, x.rank())?;
    let i = int_scalar("index_axis", i)?;
    let at = position(i, axis, x.shape()[axis])?;
    let (mut shape, mut strides) = (Dims::from_slice(x.shape()), row_major(x.shape()));
    let start = at * strides[axis] as usize;
    shape.remove(axis);
    strides.remove(axis);
    strided(x, start, &strides, &shape, out)
}

/// A copy of `x` whose row `i` of axis 0 is `row`; negative rows count from the last.
///
/// # Errors
/// `Trying to modify element 7 in a list with 3 elements.`, or if the row doesn't fit.
pub fn set_row(x: &Array, i: &Array, row: &Array, out: &mut Array) -> Result<(), KernelError> {
    out.assign(x)?;
    set_row_in_place(out, i, row)
}

/// [`set_row`] in place: only the row is written.
///
/// # Errors
/// As [`set_row`]; `x` is then unchanged.
pub fn set_row_in_place(x: &mut Array, i: &Array, row: &Array) -> Result<(), KernelError> {
    let rows = row_count("set_row", x)?;
    let i = int_scalar("set_row", i)?;
    let text = || {
        value_error(format!(
            "Trying to modify element {i} in a list with {rows} elements."
        ))
    };
    let at = from_the_end(i, rows).ok_or_else(text)?;
    if !same_shape(row.shape(), &x.shape()[1..]) {
        let (row, whole) = (shape_text(row.shape()), shape_text(x.shape()));
        return Err(KernelError::Shape(format!(
            "a row of shape {row} does not fit into an array of shape {whole}"
        )));
    }
    dispatch!(moved row, v => {
        alike_mut("set_row", row, x)?[at * v.len()..(at + 1) * v.len()].clone_from_slice(v);
        Ok(())
    })
}

/// The part of `x` that the slices select; axes without a slice stay whole.
///
/// # Errors
/// If a step is 0, or an axis doesn't exist or is named twice.
pub fn strided_slice(
    x: &Array,
    slices: impl IntoIterator<Item = AxisSlice>,
    out: &mut Array,
) -> Result<(), KernelError> {
    sliced(x.shape(), slices)?.copy(x, out)
}

/// Rows `begin..end` of axis 0, clipped as NumPy does.
///
/// # Errors
/// If a bound isn't an integer scalar or `x` is a scalar.
pub fn slice_rows(
    x: &Array,
    begin: &Array,
    end: &Array,
    out: &mut Array,
) -> Result<(), KernelError> {
    row_count("slice_rows", x)?;
    let (begin, end) = (
        int_scalar("slice_rows", begin)?,
        int_scalar("slice_rows", end)?,
    );
    strided_slice(
        x,
        [AxisSlice {
            axis: 0,
            begin: Some(begin),
            end: Some(end),
            step: 1,
        }],
        out,
    )
}

/// Adds a last axis of size `depth` that is 1 at the index and 0 elsewhere; an index out of range gives zeros.
///
/// # Errors
/// If the indices aren't integers, the dtype is `string`, or the depth is negative.
pub fn one_hot(
    indices: &Array,
    depth: i64,
    dtype: DType,
    out: &mut Array,
) -> Result<(), KernelError> {
    let mut shape = Dims::from_slice(indices.shape());
    shape.push(
        usize::try_from(depth)
            .map_err(|_| KernelError::Shape(format!("depth must be non-negative, got {depth}")))?,
    );
    out.reset(dtype, &shape)?;
    if dtype == DType::Str {
        return Err(undefined("one_hot", dtype));
    }
    let mut hot = Array::default();
    cast(&Array::scalar(true), dtype, &mut hot)?;
    dispatch!(moved hot, one => hot_values(&one[0], indices, depth, out.reset_like(&hot, &shape)?))
}

fn hot_values<T: Element>(
    one: &T,
    indices: &Array,
    depth: i64,
    values: &mut [T],
) -> Result<(), KernelError> {
    values.fill(T::default());
    with_indices!("one_hot", indices, indices => {
        for (n, i) in indices.iter().enumerate() {
            if let Some(at) = i.below(depth as usize) {
                values[n * depth as usize + at].clone_from(one);
            }
        }
        Ok(())
    })
}

/// The parts of `x` where `mask` is true; the mask covers the leading axes of `x`, which become one axis.
///
/// # Errors
/// If the mask is a scalar, isn't `bool`, or its shape doesn't begin the shape of `x`.
pub fn boolean_mask(x: &Array, mask: &Array, out: &mut Array) -> Result<(), KernelError> {
    let chosen = typed::<bool>("boolean_mask", mask)?;
    if mask.rank() == 0 || !x.shape().starts_with(mask.shape()) {
        let (mask, whole) = (shape_text(mask.shape()), shape_text(x.shape()));
        return Err(KernelError::Shape(format!(
            "Shapes {whole} and {mask} are incompatible: a mask covers leading axes"
        )));
    }
    let rest = &x.shape()[mask.rank()..];
    let inner: usize = rest.iter().product();
    let mut shape: SmallVec<[usize; 6]> =
        SmallVec::from_slice(&[chosen.iter().filter(|c| **c).count()]);
    shape.extend_from_slice(rest);
    dispatch!(moved x, v => {
        let out = out.reset_like(x, &shape)?;
        let rows = chosen.iter().enumerate().filter(|(_, chosen)| **chosen);
        for ((at, _), row) in rows.zip(out.chunks_exact_mut(inner.max(1))) {
            row.clone_from_slice(&v[at * inner..(at + 1) * inner]);
        }
        Ok(())
    })
}
