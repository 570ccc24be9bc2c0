//! `argmax` and `argmin`: first the extreme value is found, then its first position, both as vector code.

use std::marker::PhantomData;

use crate::along::{Split, without};
use crate::block::Lane;
use crate::dispatch::{dispatch, shape_text};
use crate::number::Number;
use crate::reduce::{Fold, converted, row};
use crate::simd::MulAdd;
use crate::simd::{Kernel, Level};
use crate::widened::AsInt64;
use crate::{Array, KernelError, parallel, simd};

/// The number of columns searched at once where the axis isn't the last one.
const WIDTH: usize = 64;
/// The number of values in one item of work.
const PART: usize = 1 << 16;
/// The number of values searched in a nanosecond.
const PER_NANOSECOND: usize = 4;

/// The `int64` index of the largest value along the axis: the first of equal ones; NaN never wins.
///
/// # Errors
/// If the axis doesn't exist or is empty, or `x` doesn't hold numbers.
pub fn argmax(x: &Array, axis: i64, out: &mut Array) -> Result<(), KernelError> {
    extreme::<true>("argmax", x, axis, out)
}

/// The `int64` index of the smallest value along the axis: the first of equal ones; NaN never wins.
///
/// # Errors
/// If the axis doesn't exist or is empty, or `x` doesn't hold numbers.
pub fn argmin(x: &Array, axis: i64, out: &mut Array) -> Result<(), KernelError> {
    extreme::<false>("argmin", x, axis, out)
}

fn extreme<const LARGEST: bool>(
    op: &str,
    x: &Array,
    axis: i64,
    out: &mut Array,
) -> Result<(), KernelError> {
    if let Some(x) = AsInt64::ByOrder.widened(x) {
        return extreme::<LARGEST>(op, &x, axis, out);
    }
    let shape = x.shape();
    if x.dtype().is_half() {
        return converted::<f32, _>(x, |wide| {
            places::<_, LARGEST>(shape, f32::read(wide), axis, out)
        });
    }
    dispatch!(@ [F32 F64 I32 I64 U8] op, x, v => places::<_, LARGEST>(shape, v, axis, out))
}

/// The largest or the smallest of the numbers; NaN is ignored.
#[derive(Clone, Copy)]
struct Extreme<T, const LARGEST: bool>(PhantomData<T>);

impl<T: Number, const LARGEST: bool> Fold for Extreme<T, LARGEST> {
    type Value = T;
    type Sum = T;
    const UP_TO: Level = T::RARELY_UP_TO;
    const IDENTITY: T = if LARGEST { T::LOWEST } else { T::HIGHEST };

    #[inline(always)]
    fn lift(value: T) -> T {
        value
    }

    #[inline(always)]
    fn combine(a: T, b: T) -> T {
        let better = if LARGEST { b > a } else { b < a };
        if better { b } else { a }
    }
}

fn places<T: Number, const LARGEST: bool>(
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
    let out = out.reset_as::<i64>(&without(shape, split.axis))?;
    let nanoseconds = x.len() / PER_NANOSECOND;
    let slabs = (PART / (split.len * split.inner).max(1)).max(1);
    parallel::for_each_chunk(out, slabs * split.inner, nanoseconds, |start, out| {
        let x = &x[start * split.len..(start + out.len()) * split.len];
        simd::run(Places::<T, LARGEST> { x, split, out });
    });
    Ok(())
}

/// Finds the positions for some slabs of `len` rows of `inner` values.
struct Places<'a, T, const LARGEST: bool> {
    x: &'a [T],
    split: Split,
    out: &'a mut [i64],
}

impl<T: Number, const LARGEST: bool> Kernel for Places<'_, T, LARGEST> {
    type Output = ();
    const UP_TO: Level = T::RARELY_UP_TO;

    #[inline(always)]
    fn run<M: MulAdd>(self) {
        let Split { len, inner, .. } = self.split;
        if inner == 1 {
            for (o, x) in self.out.iter_mut().zip(self.x.chunks_exact(len)) {
                let best = row::<Extreme<T, LARGEST>>(x);
                *o = x.iter().position(|v| *v == best).unwrap_or(0) as i64;
            }
            return;
        }
        let slabs = self.x.chunks_exact(len * inner);
        for (x, out) in slabs.zip(self.out.chunks_exact_mut(inner)) {
            for (n, out) in out.chunks_mut(WIDTH).enumerate() {
                columns::<T, LARGEST>(x, inner, n * WIDTH, out);
            }
        }
    }
}

/// Finds the positions for the columns from `at` on, in rows of `inner` values.
#[inline(always)]
fn columns<T: Number, const LARGEST: bool>(x: &[T], inner: usize, at: usize, out: &mut [i64]) {
    let mut best = [Extreme::<T, LARGEST>::IDENTITY; WIDTH];
    for x in x.chunks_exact(inner) {
        for (best, v) in best.iter_mut().zip(&x[at..at + out.len()]) {
            *best = Extreme::<T, LARGEST>::combine(*best, *v);
        }
    }
    out.fill(0);
    // From the last row to the first, so that the first of equal values remains.
    for (k, x) in x.chunks_exact(inner).enumerate().rev() {
        for ((o, v), best) in out.iter_mut().zip(&x[at..]).zip(&best) {
            if v == best {
                *o = k as i64;
            }
        }
    }
}
