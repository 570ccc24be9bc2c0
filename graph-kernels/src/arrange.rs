//! Ops that rearrange the values along an axis: roll, repeat, and reversal of a part.

use crate::along::Split;
use crate::along::normalize_axis;
use crate::dispatch::{dispatch, shape_text};
use crate::indices::{Index, int_vector, with_indices};
use crate::shape::strided;
use crate::{Array, Dims, Element, KernelError};

fn shape_error(text: String) -> KernelError {
    KernelError::Shape(text)
}

/// `x` with the values along `axes[i]` moved on by `shifts[i]` positions: values that leave at the end come in at the beginning.
///
/// # Errors
/// `shift and axis must have the same size`, or if an axis doesn't exist.
pub fn roll(x: &Array, shifts: &Array, axes: &[i64], out: &mut Array) -> Result<(), KernelError> {
    let shifts = int_vector("roll", shifts)?;
    if shifts.len() != axes.len() {
        return Err(shape_error(
            "shift and axis must have the same size".to_owned(),
        ));
    }
    let splits: Result<Vec<Split>, _> = axes
        .iter()
        .map(|axis| Split::new(x.shape(), *axis))
        .collect();
    let moves: Vec<_> = splits?.into_iter().zip(shifts).collect();
    dispatch!(moved x, v => {
        let out = out.reset_like(x, x.shape())?;
        if v.is_empty() {
            return Ok(());
        }
        let moves = moves.iter().map(|(split, shift)| {
            let places = shift.rem_euclid(split.len as i64) as usize;
            (split.len * split.inner, places * split.inner)
        });
        let mut moves = moves.filter(|(_, places)| *places > 0);
        match moves.next() {
            Some((block, places)) => rolled(v, block, places, out),
            None => out.clone_from_slice(v),
        }
        for (block, places) in moves {
            for block in out.chunks_exact_mut(block) {
                block.rotate_right(places);
            }
        }
        Ok(())
    })
}

/// Copies values that are moved on within each block. Both pieces of a block are copied to where they belong, because turning values around in
/// place moves each of them more than once.
fn rolled<T: Element>(values: &[T], block: usize, places: usize, out: &mut [T]) {
    let blocks = values.chunks_exact(block).zip(out.chunks_exact_mut(block));
    for (values, out) in blocks {
        let (stay, leave) = values.split_at(block - places);
        let (begin, end) = out.split_at_mut(places);
        end.clone_from_slice(stay);
        begin.clone_from_slice(leave);
    }
}

/// Repeats each slice of the axis `count` times in a row.
///
/// # Errors
/// If the axis doesn't exist, or the count is negative or too large.
pub fn repeat(x: &Array, axis: i64, count: i64, out: &mut Array) -> Result<(), KernelError> {
    let split = Split::new(x.shape(), axis)?;
    let (len, count) = repeated(split.len, count)?;
    let mut shape = Dims::from_slice(x.shape());
    shape[split.axis] = len;
    out.reset(x.dtype(), &shape)?;
    let step = split.inner as isize;
    let strides = [split.len as isize * step, step, 0, 1];
    strided(
        x,
        0,
        &strides,
        &[split.outer, split.len, count, split.inner],
        out,
    )?;
    out.set_shape(&shape);
    Ok(())
}

/// The size of an axis after each of its slices is repeated, and the count as a `usize`.
///
/// # Errors
/// If the count is negative, or the size is too large.
pub fn repeated(len: usize, count: i64) -> Result<(usize, usize), KernelError> {
    let text = || KernelError::Value(format!("{len} slices can't be repeated {count} times"));
    let count = usize::try_from(count).map_err(|_| text())?;
    Ok((len.checked_mul(count).ok_or_else(text)?, count))
}

/// Repeats slice `i` of the axis `counts[i]` times in a row; a negative count means 0.
///
/// # Errors
/// If there isn't one count for each slice, or the axis doesn't exist.
pub fn repeat_each(
    x: &Array,
    counts: &Array,
    axis: i64,
    out: &mut Array,
) -> Result<(), KernelError> {
    let split = Split::new(x.shape(), axis)?;
    let counts = int_vector("repeat_each", counts)?;
    if counts.len() != split.len {
        return Err(shape_error(format!(
            "Dimensions {} and {} are not compatible",
            split.len,
            counts.len()
        )));
    }
    let counts: Vec<usize> = counts
        .iter()
        .map(|n| usize::try_from(*n).unwrap_or(0))
        .collect();
    let len = counts.iter().try_fold(0usize, |sum, n| sum.checked_add(*n));
    let mut shape = Dims::from_slice(x.shape());
    shape[split.axis] =
        len.ok_or_else(|| KernelError::Value("the counts are too large".to_owned()))?;
    out.reset(x.dtype(), &shape)?;
    dispatch!(moved x, v => {
        let mut rest = out.reset_like(x, &shape)?;
        if rest.is_empty() {
            return Ok(());
        }
        let blocks = v.chunks_exact(split.inner).zip(counts.iter().cycle());
        for (block, count) in blocks {
            let (now, after) = rest.split_at_mut(count * split.inner);
            now.chunks_exact_mut(split.inner).for_each(|row| row.clone_from_slice(block));
            rest = after;
        }
        Ok(())
    })
}

/// `x` with the first `lengths[i]` positions of the sequence axis reversed, for each position `i` of the batch axis.
///
/// # Errors
/// `seq_lens(1) > input.dims(1)`, `seq_lens(1) < 0`, or if there isn't one length for each position of the batch axis.
pub fn reverse_sequence(
    x: &Array,
    lengths: &Array,
    sequence: i64,
    batch: i64,
    out: &mut Array,
) -> Result<(), KernelError> {
    let along = Split::new(x.shape(), sequence)?;
    let batch = normalize_axis(batch, x.rank())?;
    if batch == along.axis {
        return Err(shape_error(format!("batch_dim == seq_dim == {batch}")));
    }
    if lengths.shape() != [x.shape()[batch]] {
        return Err(shape_error(format!(
            "Length of seq_lens != input.dims({batch}), ({} vs. {})",
            shape_text(lengths.shape()),
            x.shape()[batch]
        )));
    }
    with_indices!("reverse_sequence", lengths, lengths => {
        check_lengths(lengths, along)?;
        let of = Split::new(x.shape(), batch as i64)?;
        out.assign(x)?;
        dispatch!(moved x, v => {
            reverse_lanes(v, along, of, lengths, out.reset_like(x, x.shape())?);
            Ok(())
        })
    })
}

fn check_lengths<I: Index>(lengths: &[I], along: Split) -> Result<(), KernelError> {
    for (n, len) in lengths.iter().enumerate() {
        let len = len.wide();
        let text = match len {
            _ if len < 0 => format!("seq_lens({n}) < 0"),
            _ if len > along.len as i64 => format!("seq_lens({n}) > input.dims({})", along.axis),
            _ => continue,
        };
        return Err(KernelError::Value(text));
    }
    Ok(())
}

fn reverse_lanes<T: Element, I: Index>(
    x: &[T],
    along: Split,
    batch: Split,
    lengths: &[I],
    out: &mut [T],
) {
    for start in along.lanes() {
        let entry = start / batch.inner % batch.len;
        let len = lengths[entry].wide();
        let at = |k: usize| start + k * along.inner;
        for k in 0..len as usize {
            out[at(k)].clone_from(&x[at(len as usize - 1 - k)]);
        }
    }
}
