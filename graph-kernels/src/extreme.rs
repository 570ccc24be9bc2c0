//! `argmax` and `argmin`: first the extreme value is found, then its first position, both as vector code.

use std::marker::PhantomData;

use crate::along::{Split, without};
use crate::block::Lane;
use crate::dispatch::{dispatch, shape_text};
use crate::number::Number;
use crate::reduce::{Fold, converted, row};
use crate::short_rows::{SHORT, SideBySide};
use crate::simd::MulAdd;
use crate::simd::{Kernel, Level};
use crate::widened::AsInt64;
use crate::{Array, KernelError, parallel, simd};

/// The number of columns searched at once where the axis isn't the last one.
const WIDTH: usize = 64;
/// The number of columns of a group: those of a register of AVX-512, of numbers of 32 bits.
const LANES: usize = 16;
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
            return rows::<T, LARGEST>(self.x, len, self.out);
        }
        let slabs = self.x.chunks_exact(len * inner);
        for (x, out) in slabs.zip(self.out.chunks_exact_mut(inner)) {
            for (n, out) in out.chunks_mut(WIDTH).enumerate() {
                columns::<T, LARGEST>(x, inner, n * WIDTH, out);
            }
        }
    }
}

/// Finds the positions for rows of `len` values.
#[inline(always)]
fn rows<T: Number, const LARGEST: bool>(mut x: &[T], len: usize, mut out: &mut [i64]) {
    if len < SHORT && out.len() >= WIDTH {
        let mut some = SideBySide::<T, WIDTH>::new(T::ZERO);
        let whole = out.len() / WIDTH * WIDTH;
        let (first, others) = out.split_at_mut(whole);
        for out in first.chunks_exact_mut(WIDTH) {
            let columns = some.take(x, len).as_flattened();
            self::columns::<T, LARGEST>(columns, WIDTH, 0, out);
            x = &x[len * WIDTH..];
        }
        out = others;
    }
    for (o, x) in out.iter_mut().zip(x.chunks_exact(len)) {
        let best = row::<Extreme<T, LARGEST>>(x);
        *o = x.iter().position(|v| *v == best).unwrap_or(0) as i64;
    }
}

/// Finds the positions for the columns from `at` on, in rows of `inner` values. Groups of columns of a fixed number become vector code however few there
/// are.
#[inline(always)]
fn columns<T: Number, const LARGEST: bool>(x: &[T], inner: usize, at: usize, out: &mut [i64]) {
    let (groups, rest) = out.as_chunks_mut::<LANES>();
    let behind = at + groups.len() * LANES;
    for (n, group) in groups.iter_mut().enumerate() {
        let at = at + n * LANES;
        let row = |x: &[T]| {
            *x[at..]
                .first_chunk::<LANES>()
                .expect("the columns are there")
        };
        let mut best = [Extreme::<T, LARGEST>::IDENTITY; LANES];
        for x in x.chunks_exact(inner) {
            let both = best.iter_mut().zip(row(x));
            both.for_each(|(best, v)| *best = Extreme::<T, LARGEST>::combine(*best, v));
        }
        let mut places = [0i64; LANES];
        for (k, x) in x.chunks_exact(inner).enumerate().rev() {
            for ((place, v), best) in places.iter_mut().zip(row(x)).zip(best) {
                *place = if v == best { k as i64 } else { *place };
            }
        }
        *group = places;
    }
    if !rest.is_empty() {
        some_columns::<T, LARGEST>(x, inner, behind, rest);
    }
}

/// [`columns`], of which there are fewer than a group has.
#[inline(always)]
fn some_columns<T: Number, const LARGEST: bool>(x: &[T], inner: usize, at: usize, out: &mut [i64]) {
    let mut best = [Extreme::<T, LARGEST>::IDENTITY; LANES];
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::with_level;

    /// The first position of the best of some numbers, where NaN is none; 0 if all are.
    fn first(row: &[f32], is_better: fn(f32, f32) -> bool) -> i64 {
        let mut best: Option<usize> = None;
        for (n, value) in row.iter().enumerate() {
            if !value.is_nan() && best.is_none_or(|best| is_better(*value, row[best])) {
                best = Some(n);
            }
        }
        best.unwrap_or(0) as i64
    }

    #[test]
    fn rows_of_any_length_have_the_first_of_their_best_values() {
        let special = [
            f32::NAN,
            f32::INFINITY,
            f32::NEG_INFINITY,
            0.0,
            -0.0,
            1.0,
            2.0,
        ];
        for len in 1..40 {
            let value = |n: usize| special[(n * 7919 % 1013) % special.len()];
            let values: Vec<f32> = (0..len * 150).map(value).collect();
            let x = Array::new(&[150, len], values.clone());
            let rows = values.chunks(len);
            let largest: Vec<i64> = rows.clone().map(|row| first(row, |a, b| a > b)).collect();
            let smallest: Vec<i64> = rows.map(|row| first(row, |a, b| a < b)).collect();
            let mut out = Array::default();
            for level in Level::supported() {
                with_level(level, || argmax(&x, 1, &mut out).unwrap());
                assert_eq!(out.values::<i64>().unwrap(), largest, "{len} {level:?}");
                with_level(level, || argmin(&x, 1, &mut out).unwrap());
                assert_eq!(out.values::<i64>().unwrap(), smallest, "{len} {level:?}");
            }
        }
    }
}
