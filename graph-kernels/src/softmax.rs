//! Softmax and its logarithm along one axis: three passes over a row, of which only the first reads it from memory. The second pass
//! writes the exponentials and adds them up. They are scaled by 2^63, so that none is subnormal; the third pass's factor undoes the
//! scaling.

use std::marker::PhantomData;

use smallvec::SmallVec;

use crate::along::Split;
use crate::dispatch::{shape_text, undefined};
use crate::math::Math;
use crate::number::Number;
use crate::reduce::row::{Values, add, row};
use crate::reduce::{Fold, Highest, Sum};
use crate::simd::MulAdd;
use crate::simd::{Kernel, Level};
use crate::widened::Widened;
use crate::{Array, Buffer, KernelError, parallel, simd, widened};

/// The number of columns that are calculated at once where the axis isn't the last one.
const WIDTH: usize = 64;
/// The number of values in one item of work.
const PART: usize = 1 << 15;
/// The number of values that are calculated in a nanosecond.
const PER_NANOSECOND: usize = 2;

/// `exp(x) / sum(exp(x))` along the axis, without overflow. 16-bit floats are calculated in `f32`.
///
/// # Errors
/// If the axis doesn't exist or `x` doesn't hold floats.
pub fn softmax(x: &Array, axis: i64, out: &mut Array) -> Result<(), KernelError> {
    along::<false>("softmax", x, axis, out)
}

/// `x - log(sum(exp(x)))` along the axis, without overflow. 16-bit floats are calculated in `f32`.
///
/// # Errors
/// If the axis doesn't exist or `x` doesn't hold floats.
pub fn log_softmax(x: &Array, axis: i64, out: &mut Array) -> Result<(), KernelError> {
    along::<true>("log_softmax", x, axis, out)
}

fn along<const LOG: bool>(
    op: &str,
    x: &Array,
    axis: i64,
    out: &mut Array,
) -> Result<(), KernelError> {
    let split = Split::new(x.shape(), axis)?;
    match x.buffer() {
        Buffer::F32(v) => values::<f32, LOG>(v, split, out.reset_as(x.shape())?),
        Buffer::F64(v) => values::<f64, LOG>(v, split, out.reset_as(x.shape())?),
        Buffer::F16(v) => half_values::<_, LOG>(v, split, out.reset_as(x.shape())?),
        Buffer::BF16(v) => half_values::<_, LOG>(v, split, out.reset_as(x.shape())?),
        other => return Err(undefined(op, other.dtype())),
    }
    Ok(())
}

fn half_values<T: Widened<Wide = f32>, const LOG: bool>(x: &[T], split: Split, out: &mut [T]) {
    widened::with([x], out, |[x], out| values::<f32, LOG>(x, split, out));
}

fn values<T: Number + Math, const LOG: bool>(x: &[T], split: Split, out: &mut [T])
where
    Sum<T>: Fold<Value = T, Sum = T>,
{
    let slab = split.len * split.inner;
    if out.is_empty() {
        return;
    }
    let nanoseconds = out.len() / PER_NANOSECOND;
    let part = (PART / slab).max(1) * slab;
    parallel::for_each_chunk(out, part, nanoseconds, |start, out| {
        let x = &x[start..start + out.len()];
        if split.inner == 1 {
            simd::run(SoftmaxRows::<T, LOG> {
                x,
                len: split.len,
                out,
            });
        } else {
            let inner = split.inner;
            for (x, out) in x.chunks_exact(slab).zip(out.chunks_exact_mut(slab)) {
                simd::run(SoftmaxColumns::<T, LOG> { x, inner, out });
            }
        }
    });
}

/// `-log_softmax(logits)[label]` for each row along the last axis. 16-bit floats are calculated in `f32`.
///
/// # Errors
/// `Received a label value of 3 which is outside the valid range of [0, 3).`; or if the labels' shape isn't that of the rows, they aren't
/// integers, or the logits aren't floats.
pub fn sparse_cross_entropy(
    labels: &Array,
    logits: &Array,
    out: &mut Array,
) -> Result<(), KernelError> {
    let op = "sparse_softmax_cross_entropy_with_logits";
    let split = Split::new(logits.shape(), -1)?;
    if labels.shape() != &logits.shape()[..split.axis] {
        let (labels, logits) = (shape_text(labels.shape()), shape_text(logits.shape()));
        return Err(KernelError::Shape(format!(
            "`labels.shape` must equal `logits.shape` except for the last dimension. Received: labels.shape={labels} and \
             logits.shape={logits}"
        )));
    }
    let labels = checked_labels(op, labels, split.len)?;
    match logits.buffer() {
        Buffer::F32(v) => losses(v, &labels, out.reset_as(&logits.shape()[..split.axis])?),
        Buffer::F64(v) => losses(v, &labels, out.reset_as(&logits.shape()[..split.axis])?),
        Buffer::F16(v) => half_losses(v, &labels, out.reset_as(&logits.shape()[..split.axis])?),
        Buffer::BF16(v) => half_losses(v, &labels, out.reset_as(&logits.shape()[..split.axis])?),
        other => return Err(undefined(op, other.dtype())),
    }
    Ok(())
}

/// The labels as positions in a row of `len` values; fails if one is out of range.
fn checked_labels(
    op: &str,
    labels: &Array,
    len: usize,
) -> Result<SmallVec<[usize; 32]>, KernelError> {
    let check = |label: i64| {
        let position = usize::try_from(label).ok().filter(|at| *at < len);
        position.ok_or_else(|| {
            KernelError::Value(format!(
                "Received a label value of {label} which is outside the valid range of [0, {len})."
            ))
        })
    };
    match labels.buffer() {
        Buffer::I32(v) => v.iter().map(|label| check(i64::from(*label))).collect(),
        Buffer::I64(v) => v.iter().map(|label| check(*label)).collect(),
        other => Err(undefined(op, other.dtype())),
    }
}

fn half_losses<T: Widened<Wide = f32>>(logits: &[T], labels: &[usize], out: &mut [T]) {
    widened::with([logits], out, |[logits], out| losses(logits, labels, out));
}

fn losses<T: Number + Math>(logits: &[T], labels: &[usize], out: &mut [T])
where
    Sum<T>: Fold<Value = T, Sum = T>,
{
    let Some(len) = logits.len().checked_div(out.len()) else {
        return;
    };
    let rows = logits.chunks_exact(len.max(1)).zip(labels);
    for (o, (x, label)) in out.iter_mut().zip(rows) {
        let (max, log) = simd::run(LogSum { x });
        *o = log.sub(x[*label].sub(max));
    }
}

/// The largest value `max`, and the logarithm of the sum of `exp(x - max)`.
struct LogSum<'a, T> {
    x: &'a [T],
}

impl<T: Number + Math> Kernel for LogSum<'_, T>
where
    Sum<T>: Fold<Value = T, Sum = T>,
{
    type Output = (T, T);
    const UP_TO: Level = T::RARELY_UP_TO;

    #[inline(always)]
    fn run<M: MulAdd>(self) -> (T, T) {
        let max = row::<Highest<T>>(self.x);
        let sum = row::<Sum<T>>(Exps::<T, M>::new(self.x, max, None));
        (max, Math::log::<M>(sum.div(T::LIFT)))
    }
}

/// `exp(x - max)` times [`Math::LIFT`]; with `out`, the values are written as they are calculated.
struct Exps<'a, T, M> {
    x: &'a [T],
    max: T,
    out: Option<&'a mut [T]>,
    products: PhantomData<M>,
}

impl<'a, T: Number + Math, M: MulAdd> Exps<'a, T, M> {
    #[inline(always)]
    fn new(x: &'a [T], max: T, out: Option<&'a mut [T]>) -> Self {
        Exps {
            x,
            max,
            out,
            products: PhantomData,
        }
    }

    /// The exponentials of some values. The argument is a variable of its own: it can't alias `x`, so vectors are kept in registers.
    #[inline(always)]
    fn exps<const W: usize>(mut x: [T; W], max: T) -> [T; W] {
        for x in &mut x {
            *x = Math::exp_down_lifted::<M>(x.sub(max));
        }
        x
    }
}

impl<T: Number + Math, M: MulAdd> Values for Exps<'_, T, M> {
    type Value = T;
    #[inline(always)]
    fn len(&self) -> usize {
        self.x.len()
    }
    #[inline(always)]
    fn split(self, len: usize) -> (Self, Self) {
        let (x, later_x) = self.x.split_at(len);
        let (out, later_out) = self.out.map(|out| out.split_at_mut(len)).unzip();
        let new = |x, out| Exps::new(x, self.max, out);
        (new(x, out), new(later_x, later_out))
    }
    #[inline(always)]
    fn add<F: Fold<Value = T>, const W: usize>(self, sums: &mut [F::Sum; W]) -> Self {
        let (x, rest_x) = self.x.as_chunks::<W>();
        let (out, rest_out) = self.out.map(|out| out.as_chunks_mut::<W>()).unzip();
        match out {
            Some(out) => {
                for (x, out) in x.iter().zip(out) {
                    let exps = Self::exps(*x, self.max);
                    add::<F, W>(sums, exps);
                    *out = exps;
                }
            }
            None => {
                for x in x {
                    add::<F, W>(sums, Self::exps(*x, self.max));
                }
            }
        }
        Exps::new(rest_x, self.max, rest_out)
    }
}

/// Softmax of contiguous rows.
struct SoftmaxRows<'a, T, const LOG: bool> {
    x: &'a [T],
    len: usize,
    out: &'a mut [T],
}

impl<T: Number + Math, const LOG: bool> Kernel for SoftmaxRows<'_, T, LOG>
where
    Sum<T>: Fold<Value = T, Sum = T>,
{
    type Output = ();
    const UP_TO: Level = T::RARELY_UP_TO;

    #[inline(always)]
    fn run<M: MulAdd>(self) {
        let SoftmaxRows { mut x, len, out } = self;
        let mut max = row::<Highest<T>>(&x[..len]);
        for out in out.chunks_exact_mut(len) {
            let (here, later) = x.split_at(len);
            // Subtracting the largest value makes every exponent at most 0. `max` ignores NaN, but a NaN makes the sum NaN.
            let sum = row::<Sum<T>>(Exps::<T, M>::new(here, max, Some(out)));
            let of_row = of_row::<T, M, LOG>(sum);
            // The next row's largest value is searched here, because the result of the sum has a long latency. (One loop with all three
            // passes, for three rows, is slower: it reads and writes memory at once, at addresses with the same offset in their pages.)
            let next = match later.get(..len) {
                Some(next) => row::<Highest<T>>(next),
                None => T::LOWEST,
            };
            if LOG {
                for (o, v) in out.iter_mut().zip(here) {
                    *o = v.sub(max).sub(of_row);
                }
            } else {
                out.iter_mut().for_each(|o| *o = o.mul(of_row));
            }
            (x, max) = (later, next);
        }
    }
}

/// The last step's operand for a row, calculated from the sum of its exponentials.
#[inline(always)]
fn of_row<T: Number + Math, M: MulAdd, const LOG: bool>(sum: T) -> T {
    match LOG {
        true => Math::log::<M>(sum.div(T::LIFT)),
        false => T::ONE.div(sum),
    }
}

/// Softmax of the columns of a matrix with rows of `inner` values.
struct SoftmaxColumns<'a, T, const LOG: bool> {
    x: &'a [T],
    inner: usize,
    out: &'a mut [T],
}

impl<T: Number + Math, const LOG: bool> Kernel for SoftmaxColumns<'_, T, LOG> {
    type Output = ();
    const UP_TO: Level = T::RARELY_UP_TO;

    #[inline(always)]
    fn run<M: MulAdd>(self) {
        let SoftmaxColumns { x, inner, out } = self;
        for start in (0..inner).step_by(WIDTH) {
            let columns = start..(start + WIDTH).min(inner);
            let (mut max, mut sum) = ([T::LOWEST; WIDTH], [T::ZERO; WIDTH]);
            for x in x.chunks_exact(inner) {
                for (max, v) in max.iter_mut().zip(&x[columns.clone()]) {
                    *max = Number::maximum(*max, *v);
                }
            }
            for (x, out) in x.chunks_exact(inner).zip(out.chunks_exact_mut(inner)) {
                let pairs = out[columns.clone()].iter_mut().zip(&x[columns.clone()]);
                for (((o, v), max), sum) in pairs.zip(&max).zip(&mut sum) {
                    let exp = Math::exp_down_lifted::<M>(v.sub(*max));
                    *o = if LOG { v.sub(*max) } else { exp };
                    *sum = sum.add(exp);
                }
            }
            for sum in &mut sum {
                *sum = of_row::<T, M, LOG>(*sum);
            }
            for out in out.chunks_exact_mut(inner) {
                for (o, sum) in out[columns.clone()].iter_mut().zip(&sum) {
                    *o = if LOG { o.sub(*sum) } else { o.mul(*sum) };
                }
            }
        }
    }
}
