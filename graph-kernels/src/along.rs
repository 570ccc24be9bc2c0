//! Operations along one axis whose values depend on each other: argmax, cumulative sums, softmax.

use crate::dispatch::{dispatch, shape_text};
use crate::number::{Float, Number};
use crate::reduce::{normalize_axis, reduce_row};
use crate::{Array, Dims, KernelError};

/// An array seen as `[outer, len, inner]` around one axis: neighbours along it are `inner` apart.
#[derive(Clone, Copy)]
pub(crate) struct Split {
    pub axis: usize,
    pub outer: usize,
    pub len: usize,
    pub inner: usize,
}

impl Split {
    pub fn new(shape: &[usize], axis: i64) -> Result<Split, KernelError> {
        let axis = normalize_axis(axis, shape.len())?;
        let (outer, inner) = (
            shape[..axis].iter().product(),
            shape[axis + 1..].iter().product(),
        );
        Ok(Split {
            axis,
            outer,
            len: shape[axis],
            inner,
        })
    }

    /// The offset of the first value of every lane along the axis.
    pub fn lanes(self) -> impl Iterator<Item = usize> {
        let block = if self.len == 0 { 0 } else { self.outer };
        (0..block).flat_map(move |o| (0..self.inner).map(move |i| o * self.len * self.inner + i))
    }

    /// The offsets of the values of the lane that starts at an offset.
    pub fn lane(self, start: usize) -> impl DoubleEndedIterator<Item = usize> + Clone {
        (0..self.len).map(move |k| start + k * self.inner)
    }
}

/// The shape without an axis.
fn without(shape: &[usize], axis: usize) -> Dims {
    shape
        .iter()
        .enumerate()
        .filter(|(n, _)| *n != axis)
        .map(|(_, size)| *size)
        .collect()
}

fn arg_best<T: Number>(
    shape: &[usize],
    x: &[T],
    axis: i64,
    out: &mut Array,
    beats: impl Fn(T, T) -> bool,
) -> Result<(), KernelError> {
    let split = Split::new(shape, axis)?;
    let out = out.reset_as::<i64>(&without(shape, split.axis));
    if split.len == 0 {
        let text = format!(
            "Reduction axis {} is empty in shape {}",
            split.axis,
            shape_text(shape)
        );
        return Err(KernelError::Value(text));
    }
    for (o, start) in out.iter_mut().zip(split.lanes()) {
        let (mut best, mut at) = (x[start], 0);
        for (k, offset) in split.lane(start).enumerate() {
            let v = x[offset];
            if beats(v, best) || (best.is_nan() && !v.is_nan()) {
                (best, at) = (v, k);
            }
        }
        *o = at as i64;
    }
    Ok(())
}

/// The `int64` index of the largest value along the axis: the first of equal ones; NaN never wins.
///
/// # Errors
/// If the axis doesn't exist or is empty, or `x` doesn't hold numbers.
pub fn argmax(x: &Array, axis: i64, out: &mut Array) -> Result<(), KernelError> {
    dispatch!(number "argmax", x, v => arg_best(x.shape(), v, axis, out, |v, best| v > best))
}

/// The `int64` index of the smallest value along the axis: the first of equal ones; NaN never wins.
///
/// # Errors
/// If the axis doesn't exist or is empty, or `x` doesn't hold numbers.
pub fn argmin(x: &Array, axis: i64, out: &mut Array) -> Result<(), KernelError> {
    dispatch!(number "argmin", x, v => arg_best(x.shape(), v, axis, out, |v, best| v < best))
}

/// The running sum along the axis, each value included.
///
/// # Errors
/// If the axis doesn't exist or `x` doesn't hold numbers.
pub fn cumsum(x: &Array, axis: i64, out: &mut Array) -> Result<(), KernelError> {
    dispatch!(number "cumsum", x, v => cumsum_values(x.shape(), v, axis, out))
}

fn cumsum_values<T: Number>(
    shape: &[usize],
    x: &[T],
    axis: i64,
    out: &mut Array,
) -> Result<(), KernelError> {
    let split = Split::new(shape, axis)?;
    let out = out.reset_as::<T>(shape);
    for start in split.lanes() {
        let mut sum = T::ZERO;
        for offset in split.lane(start) {
            sum = sum.add(x[offset]);
            out[offset] = sum;
        }
    }
    Ok(())
}

/// `exp(x) / sum(exp(x))` along the axis, without overflow.
///
/// # Errors
/// If the axis doesn't exist or `x` doesn't hold floats.
pub fn softmax(x: &Array, axis: i64, out: &mut Array) -> Result<(), KernelError> {
    dispatch!(float "softmax", x, v => softmax_values(x.shape(), v, axis, out, false))
}

/// `x - log(sum(exp(x)))` along the axis, without overflow.
///
/// # Errors
/// If the axis doesn't exist or `x` doesn't hold floats.
pub fn log_softmax(x: &Array, axis: i64, out: &mut Array) -> Result<(), KernelError> {
    dispatch!(float "log_softmax", x, v => softmax_values(x.shape(), v, axis, out, true))
}

fn softmax_values<T: Float>(
    shape: &[usize],
    x: &[T],
    axis: i64,
    out: &mut Array,
    log: bool,
) -> Result<(), KernelError> {
    let split = Split::new(shape, axis)?;
    let out = out.reset_as::<T>(shape);
    if split.inner == 1 && split.len > 0 {
        let rows = x
            .chunks_exact(split.len)
            .zip(out.chunks_exact_mut(split.len));
        rows.for_each(|(row, out)| softmax_row(row, out, log));
        return Ok(());
    }
    for start in split.lanes() {
        let lane = split.lane(start);
        // Subtracting the largest value keeps every exponent at or below 0.
        let max = lane
            .clone()
            .fold(T::LOWEST, |max, offset| max.maximum(x[offset]));
        let mut sum = T::ZERO;
        for offset in lane.clone() {
            let shifted = x[offset].sub(max);
            let exp = shifted.exp();
            out[offset] = if log { shifted } else { exp };
            sum = sum.add(exp);
        }
        let log_sum = sum.log();
        for offset in lane {
            out[offset] = if log {
                out[offset].sub(log_sum)
            } else {
                out[offset].div(sum)
            };
        }
    }
    Ok(())
}

/// The softmax of contiguous values.
fn softmax_row<T: Float>(row: &[T], out: &mut [T], log: bool) {
    let max = reduce_row(row, T::LOWEST, &|v| *v, &T::maximum);
    if log {
        let log_sum = reduce_row(row, T::ZERO, &|v| v.sub(max).exp(), &T::add).log();
        out.iter_mut()
            .zip(row)
            .for_each(|(o, v)| *o = v.sub(max).sub(log_sum));
        return;
    }
    out.iter_mut()
        .zip(row)
        .for_each(|(o, v)| *o = v.sub(max).exp());
    let sum = reduce_row(out, T::ZERO, &|v| *v, &T::add);
    out.iter_mut().for_each(|o| *o = o.div(sum));
}
