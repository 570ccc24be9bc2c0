//! Taking parts of an array by index, and writing one row.

use smallvec::SmallVec;

use crate::array::same_shape;
use crate::dispatch::{alike_mut, dispatch, int_scalar, shape_text, typed, undefined};
use crate::gather::from_the_end;
use crate::indices::{Index, with_indices};
use crate::nest::{Strides, row_major};
use crate::reduce::normalize_axis;
use crate::shape::{View, strided};
use crate::{Array, DType, Dims, Element, KernelError, cast};

fn value_error(text: String) -> KernelError {
    KernelError::Value(text)
}

/// The number of rows of an array: the size of axis 0.
fn row_count(op: &str, x: &Array) -> Result<usize, KernelError> {
    let text = || KernelError::Shape(format!("`{op}` takes an array with at least one axis"));
    x.shape().first().copied().ok_or_else(text)
}

/// A position on an axis of a size, counted from the first.
///
/// # Errors
/// `slice index 4 of dimension 0 out of bounds.`
pub(crate) fn position(i: i64, axis: usize, size: usize) -> Result<usize, KernelError> {
    from_the_end(i, size).ok_or_else(|| {
        value_error(format!(
            "slice index {i} of dimension {axis} out of bounds."
        ))
    })
}

/// What stands at positions of the first axes, which go: one integer scalar each; negative ones count from the end.
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

/// Which of the parts of `x` behind its first axes stands at positions of these, and the shape of a part.
pub(crate) fn row_at<'a>(
    op: &str,
    x: &'a Array,
    positions: &[&Array],
) -> Result<(usize, &'a [usize]), KernelError> {
    if x.rank() < positions.len() {
        let (shape, axes) = (shape_text(x.shape()), positions.len());
        return Err(KernelError::Shape(format!(
            "`{op}` takes an array with at least {axes} axes, not of shape {shape}"
        )));
    }
    let (sizes, inner) = x.shape().split_at(positions.len());
    let mut row = 0;
    for (axis, (i, size)) in positions.iter().zip(sizes).enumerate() {
        row = row * size + position(int_scalar(op, i)?, axis, *size)?;
    }
    Ok((row, inner))
}

/// The slice of an axis, which goes, at `i`; a negative one counts from the end.
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

/// [`set_row`] of the array itself: nothing but the row is written.
///
/// # Errors
/// As [`set_row`], and then nothing is written.
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

/// One sliced axis: where it begins and ends, its step, and which of begin and end are absent.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs)]
pub struct AxisSlice {
    pub axis: i64,
    pub begin: Option<i64>,
    pub end: Option<i64>,
    pub step: i64,
}

impl AxisSlice {
    /// The first position and the number of positions on an axis of the given size, clipped as NumPy does.
    ///
    /// # Errors
    /// If the step is 0.
    pub fn resolve(&self, size: usize) -> Result<(usize, usize), KernelError> {
        if self.step == 0 {
            return Err(value_error("slice step cannot be zero".to_owned()));
        }
        // Walking backwards, the ends are one lower: -1 stands for "before the first".
        let (low, high) = if self.step > 0 {
            (0, size as i64)
        } else {
            (-1, size as i64 - 1)
        };
        let clip = |at: i64| {
            if at < 0 {
                at.saturating_add(size as i64)
            } else {
                at
            }
            .clamp(low, high)
        };
        let (from, to) = if self.step > 0 {
            (low, high)
        } else {
            (high, low)
        };
        let (begin, end) = (self.begin.map_or(from, clip), self.end.map_or(to, clip));
        let span = if self.step > 0 {
            end - begin
        } else {
            begin - end
        }
        .max(0) as u64;
        let count = span.div_ceil(self.step.unsigned_abs()) as usize;
        Ok((if count == 0 { 0 } else { begin as usize }, count))
    }
}

/// The part of `x` that the slices select; axes without one stay whole.
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

/// What slices select of an array of a shape.
///
/// # Errors
/// As [`strided_slice`].
pub(crate) fn sliced(
    whole: &[usize],
    slices: impl IntoIterator<Item = AxisSlice>,
) -> Result<View, KernelError> {
    let mut shape = Dims::from_slice(whole);
    let steps = row_major(whole);
    let mut strides: Strides = steps.clone();
    let mut start = 0;
    let mut sliced: SmallVec<[bool; 6]> = SmallVec::from_elem(false, whole.len());
    for slice in slices {
        let axis = normalize_axis(slice.axis, whole.len())?;
        if std::mem::replace(&mut sliced[axis], true) {
            return Err(KernelError::Shape(format!(
                "axis {} is sliced twice",
                slice.axis
            )));
        }
        let (begin, count) = slice.resolve(whole[axis])?;
        start += begin * steps[axis] as usize;
        shape[axis] = count;
        // A step is only taken between two positions; with one there may be a huge step.
        strides[axis] = if count > 1 {
            steps[axis] * slice.step as isize
        } else {
            0
        };
    }
    Ok(View {
        start,
        strides,
        shape,
    })
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

/// A new last axis of size `depth` that is 1 at the index and 0 elsewhere; an index out of range gives a row of 0.
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

/// The parts of `x` where `mask` is true; the mask covers the leading axes of `x`, which become one.
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
