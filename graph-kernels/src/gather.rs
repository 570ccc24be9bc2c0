//! Ops that take values by arrays of positions. They copy contiguous values as one run.

use smallvec::SmallVec;

use crate::along::Split;
use crate::dispatch::{dispatch, shape_text};
use crate::indices::{Index, PositionRows, check_positions, with_indices};
use crate::{Array, Dims, Element, KernelError};

fn shape_error(text: String) -> KernelError {
    KernelError::Shape(text)
}

/// Copies the run of values that begins at `start`.
#[inline(always)]
fn copy_run<T: Element>(x: &[T], start: usize, out: &mut [T]) {
    match out {
        // A call to copy one value would cost more than the value.
        [out] => *out = x[start].clone(),
        out => out.clone_from_slice(&x[start..start + out.len()]),
    }
}

/// The slices of an axis at the given indices: the axes of `indices` replace the axis. The first `batch` axes are common to both
/// operands, and each of their positions has its own indices.
///
/// # Errors
/// `indices[0] = -1 is not in [0, 3)`, or if the batch axes differ or lie behind the axis.
pub fn gather(
    x: &Array,
    indices: &Array,
    axis: i64,
    batch: i64,
    out: &mut Array,
) -> Result<(), KernelError> {
    let (split, batches, shape) = gathered(x, indices, axis, batch)?;
    with_indices!("gather", indices, i => {
        check_positions(i, indices.shape(), split.len)?;
        out.reset(x.dtype(), &shape)?;
        dispatch!(moved x, v => {
            let out = out.reset_like(x, &shape)?;
            for_each_run(split, batches, i, |run, at| {
                let to = run * split.inner..(run + 1) * split.inner;
                copy_run(v, at * split.inner, &mut out[to]);
            });
            Ok(())
        })
    })
}

/// The layout of a [`gather`]: the split operand, the number of batches, and the shape of the result.
pub(crate) fn gathered(
    x: &Array,
    indices: &Array,
    axis: i64,
    batch: i64,
) -> Result<(Split, usize, Dims), KernelError> {
    let split = Split::new(x.shape(), axis)?;
    let batch = batch_axes(batch, split.axis, indices.rank())?;
    if x.shape()[..batch] != indices.shape()[..batch] {
        return Err(shape_error(format!(
            "params.shape[:{batch}] {} should be equal to indices.shape[:{batch}] {}",
            shape_text(&x.shape()[..batch]),
            shape_text(&indices.shape()[..batch])
        )));
    }
    let mut shape = Dims::from_slice(&x.shape()[..split.axis]);
    shape.extend_from_slice(&indices.shape()[batch..]);
    shape.extend_from_slice(&x.shape()[split.axis + 1..]);
    let batches = x.shape()[..batch].iter().product();
    Ok((split, batches, shape))
}

/// The number of batch axes of a gather along an axis; a negative one counts from the rank of the indices.
///
/// # Errors
/// If there are fewer axes in front of the axis.
pub fn batch_axes(batch: i64, axis: usize, index_rank: usize) -> Result<usize, KernelError> {
    let counted = if batch < 0 {
        batch.saturating_add_unsigned(index_rank as u64)
    } else {
        batch
    };
    let fits = usize::try_from(counted)
        .ok()
        .filter(|batch| *batch <= axis && *batch <= index_rank);
    fits.ok_or_else(|| {
        shape_error(format!(
            "batch_dims {batch} must be at most axis {axis} and the rank {index_rank} of the indices"
        ))
    })
}

/// Calls `f` for each run of `split.inner` values of the result, in order, with the index of the run in the result and in the operand.
#[inline(always)]
pub(crate) fn for_each_run<I: Index>(
    split: Split,
    batches: usize,
    indices: &[I],
    mut f: impl FnMut(usize, usize),
) {
    if split.outer == 0 || split.inner == 0 || indices.is_empty() {
        return;
    }
    let (outer, per_batch) = (split.outer / batches, indices.len() / batches);
    let mut run = 0;
    for b in 0..batches {
        let own = &indices[b * per_batch..(b + 1) * per_batch];
        for o in b * outer..(b + 1) * outer {
            for i in own {
                f(run, o * split.len + i.wide() as usize);
                run += 1;
            }
        }
    }
}

/// The parts of `x` at rows of positions: a row, the last axis of `indices`, holds positions on the first axes of `x` after the `batch`
/// axes, which are common to both.
///
/// # Errors
/// `indices[1] = [3, 0] does not index into param shape [3,2]`, or if a row has more positions than `x` has axes.
pub fn gather_nd(
    x: &Array,
    indices: &Array,
    batch: i64,
    out: &mut Array,
) -> Result<(), KernelError> {
    let last = indices.rank().saturating_sub(1).min(x.rank());
    let batch = batch_axes(batch, last, indices.rank())?;
    if x.shape()[..batch] != indices.shape()[..batch] {
        return Err(shape_error(format!(
            "The first {batch} axes of {} and {} must be equal",
            shape_text(x.shape()),
            shape_text(indices.shape())
        )));
    }
    let inner = &x.shape()[batch..];
    let batches: usize = x.shape()[..batch].iter().product();
    with_indices!("gather_nd", indices, i => {
        let rows = PositionRows::new(i, indices.shape(), inner.len())?;
        let (indexed, run) = inner.split_at(rows.depth);
        let mut shape = Dims::from_slice(rows.outer);
        shape.extend_from_slice(run);
        out.reset(x.dtype(), &shape)?;
        if rows.depth == 0 && out.is_empty() {
            // There may be too many rows without positions to walk them all.
            return Ok(());
        }
        let starts = row_starts(&rows, indexed, batches, x.shape())?;
        dispatch!(moved x, v => {
            let len: usize = run.iter().product();
            let out = out.reset_like(x, &shape)?;
            if len > 0 {
                out.chunks_exact_mut(len).zip(&starts).for_each(|(run, at)| copy_run(v, at * len, run));
            }
            Ok(())
        })
    })
}

/// The index of the part of `x` that each row selects, counted over all batches.
fn row_starts<I: Index>(
    rows: &PositionRows<'_, I>,
    indexed: &[usize],
    batches: usize,
    shape: &[usize],
) -> Result<Vec<usize>, KernelError> {
    let parts: usize = indexed.iter().product();
    let per_batch = rows.count().checked_div(batches).unwrap_or(0).max(1);
    let start = |n: usize| {
        let at = rows.flat(n, indexed).ok_or_else(|| {
            let (text, shape) = (rows.text(n), shape_text(shape));
            KernelError::Value(format!("{text} does not index into param shape {shape}"))
        })?;
        Ok(n / per_batch * parts + at)
    };
    (0..rows.count()).map(start).collect()
}

/// The positions of the values that aren't the default (true, not zero), in row-major order: `[n, rank]`.
///
/// # Errors
/// If `x` holds strings.
pub fn nonzero(x: &Array, out: &mut Array) -> Result<(), KernelError> {
    dispatch!(plain "nonzero", x, v => write_places(x.shape(), v, out))
}

fn write_places<T: Element>(shape: &[usize], x: &[T], out: &mut Array) -> Result<(), KernelError> {
    let zero = T::default();
    let count = x.iter().filter(|v| **v != zero).count();
    let out = out.reset_as::<i64>(&[count, shape.len()])?;
    let mut places = out.chunks_exact_mut(shape.len().max(1));
    let mut place: SmallVec<[i64; 6]> = SmallVec::from_elem(0, shape.len());
    for value in x {
        if *value != zero
            && let Some(out) = places.next()
        {
            out.copy_from_slice(&place);
        }
        advance(&mut place, shape);
    }
    Ok(())
}

/// Advances to the next position in row-major order.
fn advance(place: &mut [i64], shape: &[usize]) {
    for (i, size) in place.iter_mut().zip(shape).rev() {
        *i += 1;
        if *i < *size as i64 {
            return;
        }
        *i = 0;
    }
}
