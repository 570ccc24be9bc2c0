//! Where along an axis the largest and the smallest values are: first the value, then its first place, both as vector code.

use crate::along::{Split, without};
use crate::dispatch::{dispatch, shape_text};
use crate::math::MulAdd;
use crate::number::Number;
use crate::reduce::{Fold, MaxNumber, MinNumber, row};
use crate::simd::Kernel;
use crate::{Array, KernelError, parallel, simd};

/// Columns that are searched side by side where the axis isn't the last one.
const WIDTH: usize = 64;
/// Values that are one item of work.
const PART: usize = 1 << 16;
/// Values that are done in a nanosecond.
const PER_NANOSECOND: usize = 4;

/// The `int64` index of the largest value along the axis: the first of equal ones; NaN never wins.
///
/// # Errors
/// If the axis doesn't exist or is empty, or `x` doesn't hold numbers.
pub fn argmax(x: &Array, axis: i64, out: &mut Array) -> Result<(), KernelError> {
    fn typed<T: Number>(x: &Array, v: &[T], axis: i64, out: &mut Array) -> Result<(), KernelError> {
        places::<T, MaxNumber<T>>(x.shape(), v, axis, out)
    }
    dispatch!(number "argmax", x, v => typed(x, v, axis, out))
}

/// The `int64` index of the smallest value along the axis: the first of equal ones; NaN never wins.
///
/// # Errors
/// If the axis doesn't exist or is empty, or `x` doesn't hold numbers.
pub fn argmin(x: &Array, axis: i64, out: &mut Array) -> Result<(), KernelError> {
    fn typed<T: Number>(x: &Array, v: &[T], axis: i64, out: &mut Array) -> Result<(), KernelError> {
        places::<T, MinNumber<T>>(x.shape(), v, axis, out)
    }
    dispatch!(number "argmin", x, v => typed(x, v, axis, out))
}

fn places<T: Number, F: Fold<Value = T, Sum = T>>(
    shape: &[usize],
    x: &[T],
    axis: i64,
    out: &mut Array,
) -> Result<(), KernelError> {
    let split = Split::new(shape, axis)?;
    if split.len == 0 {
        let (axis, shape) = (split.axis, shape_text(shape));
        return Err(KernelError::Value(format!(
            "Reduction axis {axis} is empty in shape {shape}"
        )));
    }
    let out = out.reset_as::<i64>(&without(shape, split.axis));
    let nanoseconds = x.len() / PER_NANOSECOND;
    let slabs = (PART / (split.len * split.inner).max(1)).max(1);
    parallel::for_each_chunk(out, slabs * split.inner, nanoseconds, |start, out| {
        let x = &x[start * split.len..(start + out.len()) * split.len];
        simd::run(Places::<F, T> {
            x,
            split,
            out,
            marker: std::marker::PhantomData,
        });
    });
    Ok(())
}

/// The places in some slabs of `len` rows of `inner` values.
struct Places<'a, F, T> {
    x: &'a [T],
    split: Split,
    out: &'a mut [i64],
    marker: std::marker::PhantomData<F>,
}

impl<T: Number, F: Fold<Value = T, Sum = T>> Kernel for Places<'_, F, T> {
    type Output = ();

    #[inline(always)]
    fn run<M: MulAdd>(self) {
        let Split { len, inner, .. } = self.split;
        if inner == 1 {
            for (o, x) in self.out.iter_mut().zip(self.x.chunks_exact(len)) {
                let best = row::<F>(x);
                *o = x.iter().position(|v| *v == best).unwrap_or(0) as i64;
            }
            return;
        }
        let slabs = self.x.chunks_exact(len * inner);
        for (x, out) in slabs.zip(self.out.chunks_exact_mut(inner)) {
            for (n, out) in out.chunks_mut(WIDTH).enumerate() {
                columns::<T, F>(x, inner, n * WIDTH, out);
            }
        }
    }
}

/// The places in some columns, from `at` on, of rows that are `inner` long.
#[inline(always)]
fn columns<T: Number, F: Fold<Value = T, Sum = T>>(
    x: &[T],
    inner: usize,
    at: usize,
    out: &mut [i64],
) {
    let mut best = [F::IDENTITY; WIDTH];
    for x in x.chunks_exact(inner) {
        for (best, v) in best.iter_mut().zip(&x[at..at + out.len()]) {
            *best = F::combine(*best, *v);
        }
    }
    out.fill(0);
    // From the last row, so that the first of equal ones stays.
    for (k, x) in x.chunks_exact(inner).enumerate().rev() {
        for ((o, v), best) in out.iter_mut().zip(&x[at..]).zip(&best) {
            if v == best {
                *o = k as i64;
            }
        }
    }
}
