//! Running sums and products along an axis.

use crate::along::Split;
use crate::dispatch::dispatch;
use crate::reduce::{Addend, Fold, Product, Sum};
use crate::widened::AsInt64;
use crate::{Array, KernelError, parallel, scratch};

/// The number of values that are summed in a nanosecond.
const PER_NANOSECOND: usize = 1;

/// Which values a running sum or product includes.
#[derive(Clone, Copy, Debug, Default)]
pub struct Running {
    /// The sum of the values before each value, without the value itself.
    pub exclusive: bool,
    /// From the last value to the first.
    pub reverse: bool,
}

/// The running sum along the axis. 16-bit floats are added in `f32`.
///
/// # Errors
/// If the axis doesn't exist or `x` doesn't hold numbers.
pub fn cumsum(x: &Array, axis: i64, running: Running, out: &mut Array) -> Result<(), KernelError> {
    if let Some(done) = AsInt64::ByBits.map(x, out, |x, out| cumsum(x, axis, running, out)) {
        return done;
    }
    dispatch!(number "cumsum", x, v => typed::<_, Sum<_>>(x, v, axis, running, out))
}

/// The running product along the axis. 16-bit floats are multiplied in `f32`.
///
/// # Errors
/// If the axis doesn't exist or `x` doesn't hold numbers.
pub fn cumprod(x: &Array, axis: i64, running: Running, out: &mut Array) -> Result<(), KernelError> {
    if let Some(done) = AsInt64::ByBits.map(x, out, |x, out| cumprod(x, axis, running, out)) {
        return done;
    }
    dispatch!(number "cumprod", x, v => typed::<_, Product<_>>(x, v, axis, running, out))
}

fn typed<T: Addend, F: Fold<Value = T, Sum = T::Sum>>(
    x: &Array,
    values: &[T],
    axis: i64,
    running: Running,
    out: &mut Array,
) -> Result<(), KernelError> {
    let split = Split::new(x.shape(), axis)?;
    let out = out.reset_as::<T>(x.shape())?;
    let nanoseconds = out.len() / PER_NANOSECOND;
    parallel::for_each_chunk(out, split.len * split.inner, nanoseconds, |start, out| {
        let slab = &values[start..start + out.len()];
        match (split.inner, running.reverse) {
            (1, false) => lane::<T, F>(out.iter_mut().zip(slab), running),
            (1, true) => lane::<T, F>(out.iter_mut().zip(slab).rev(), running),
            _ => rows::<T, F>(slab, split, running, out),
        }
    });
    Ok(())
}

/// The running sums along a lane, in the lane's order.
fn lane<'a, T: Addend, F: Fold<Value = T, Sum = T::Sum>>(
    values: impl Iterator<Item = (&'a mut T, &'a T)>,
    running: Running,
) {
    let mut sum = F::IDENTITY;
    for (o, v) in values {
        let next = F::combine(sum, F::lift(*v));
        *o = T::narrow(if running.exclusive { sum } else { next });
        sum = next;
    }
}

/// The running sums of rows: row by row, each value of a row added to the value above it.
fn rows<T: Addend, F: Fold<Value = T, Sum = T::Sum>>(
    slab: &[T],
    split: Split,
    running: Running,
    out: &mut [T],
) {
    scratch::with(split.inner, |sums: &mut [T::Sum]| {
        sums.fill(F::IDENTITY);
        for k in 0..split.len {
            let k = if running.reverse {
                split.len - 1 - k
            } else {
                k
            };
            let row = k * split.inner..(k + 1) * split.inner;
            let values = out[row.clone()].iter_mut().zip(&slab[row]);
            for ((o, v), sum) in values.zip(sums.iter_mut()) {
                let next = F::combine(*sum, F::lift(*v));
                *o = T::narrow(if running.exclusive { *sum } else { next });
                *sum = next;
            }
        }
    });
}
