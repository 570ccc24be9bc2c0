//! Softmax and its logarithm along one axis: three passes over a row, of which only the first reads it from memory. The
//! second one adds the exponentials as it writes them.

use std::marker::PhantomData;

use half::slice::HalfFloatSliceExt;
use smallvec::SmallVec;

use crate::along::Split;
use crate::dispatch::{shape_text, undefined};
use crate::element::Half;
use crate::math::{Math, MulAdd};
use crate::number::Number;
use crate::reduce::row::{Values, row};
use crate::reduce::{Fold, Highest, Sum};
use crate::simd::Kernel;
use crate::{Array, Buffer, KernelError, half_floats, parallel, scratch, simd};

/// Columns that are worked on side by side where the axis isn't the last one.
const WIDTH: usize = 64;
/// Values that are one item of work.
const PART: usize = 1 << 15;
/// Values that are done in a nanosecond.
const PER_NANOSECOND: usize = 2;

/// `exp(x) / sum(exp(x))` along the axis, without overflow. 16-bit floats are calculated with in `f32`.
///
/// # Errors
/// If the axis doesn't exist or `x` doesn't hold floats.
pub fn softmax(x: &Array, axis: i64, out: &mut Array) -> Result<(), KernelError> {
    along::<false>("softmax", x, axis, out)
}

/// `x - log(sum(exp(x)))` along the axis, without overflow. 16-bit floats are calculated with in `f32`.
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
        Buffer::F32(v) => values::<f32, LOG>(v, split, out.reset_as(x.shape())),
        Buffer::F64(v) => values::<f64, LOG>(v, split, out.reset_as(x.shape())),
        Buffer::F16(v) => half_values::<_, LOG>(v, split, out.reset_as(x.shape())),
        Buffer::BF16(v) => half_values::<_, LOG>(v, split, out.reset_as(x.shape())),
        other => return Err(undefined(op, other.dtype())),
    }
    Ok(())
}

fn half_values<T: Half, const LOG: bool>(x: &[T], split: Split, out: &mut [T])
where
    [T]: HalfFloatSliceExt,
{
    half_floats::with([x], out, |[x], out| values::<f32, LOG>(x, split, out));
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
            simd::run(Rows::<T, LOG> {
                x,
                len: split.len,
                out,
            });
        } else {
            let inner = split.inner;
            for (x, out) in x.chunks_exact(slab).zip(out.chunks_exact_mut(slab)) {
                simd::run(Columns::<T, LOG> { x, inner, out });
            }
        }
    });
}

/// `-log_softmax(logits)[label]` for each row along the last axis. 16-bit floats are calculated with in `f32`.
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
        Buffer::F32(v) => losses(v, &labels, out.reset_as(&logits.shape()[..split.axis])),
        Buffer::F64(v) => losses(v, &labels, out.reset_as(&logits.shape()[..split.axis])),
        Buffer::F16(v) => half_losses(v, &labels, out.reset_as(&logits.shape()[..split.axis])),
        Buffer::BF16(v) => half_losses(v, &labels, out.reset_as(&logits.shape()[..split.axis])),
        other => return Err(undefined(op, other.dtype())),
    }
    Ok(())
}

/// The labels as positions in a row of `len` values.
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

fn half_losses<T: Half>(logits: &[T], labels: &[usize], out: &mut [T])
where
    [T]: HalfFloatSliceExt,
{
    half_floats::with([logits], out, |[logits], out| losses(logits, labels, out));
}

fn losses<T: Number + Math>(logits: &[T], labels: &[usize], out: &mut [T])
where
    Sum<T>: Fold<Value = T, Sum = T>,
{
    let Some(len) = logits.len().checked_div(out.len()) else {
        return;
    };
    scratch::with(len, |exps: &mut [T]| {
        let rows = logits.chunks_exact(len.max(1)).zip(labels);
        for (o, (row, label)) in out.iter_mut().zip(rows) {
            let (x, exps) = (row, &mut *exps);
            let (max, log) = simd::run(LogSum { x, exps });
            *o = log.sub(row[*label].sub(max));
        }
    });
}

/// The largest value, and the logarithm of the sum of the exponentials of what is left without it.
struct LogSum<'a, T> {
    x: &'a [T],
    exps: &'a mut [T],
}

impl<T: Number + Math> Kernel for LogSum<'_, T>
where
    Sum<T>: Fold<Value = T, Sum = T>,
{
    type Output = (T, T);

    #[inline(always)]
    fn run<M: MulAdd>(self) -> (T, T) {
        let max = row::<Highest<T>>(self.x);
        let exps = Exps::<T, M>::new(self.x, max, self.exps);
        (max, Math::log::<M>(row::<Sum<T>>(exps)))
    }
}

/// `exp(x - max)`, which is written as it is calculated.
struct Exps<'a, T, M> {
    x: &'a [T],
    max: T,
    out: &'a mut [T],
    products: PhantomData<M>,
}

impl<'a, T: Number + Math, M: MulAdd> Exps<'a, T, M> {
    #[inline(always)]
    fn new(x: &'a [T], max: T, out: &'a mut [T]) -> Self {
        Exps {
            x,
            max,
            out,
            products: PhantomData,
        }
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
        let (out, later_out) = self.out.split_at_mut(len);
        let new = |x, out| Exps::new(x, self.max, out);
        (new(x, out), new(later_x, later_out))
    }
    #[inline(always)]
    fn chunks<const W: usize>(self) -> (impl Iterator<Item = [T; W]>, Self) {
        let max = self.max;
        let (x, rest_x) = self.x.as_chunks::<W>();
        let (out, rest_out) = self.out.as_chunks_mut::<W>();
        let exps = x.iter().zip(out).map(move |(x, out)| {
            for j in 0..W {
                out[j] = Math::exp_down::<M>(x[j].sub(max));
            }
            *out
        });
        (exps, Exps::new(rest_x, max, rest_out))
    }
}

/// Softmax of contiguous rows.
struct Rows<'a, T, const LOG: bool> {
    x: &'a [T],
    len: usize,
    out: &'a mut [T],
}

impl<T: Number + Math, const LOG: bool> Kernel for Rows<'_, T, LOG>
where
    Sum<T>: Fold<Value = T, Sum = T>,
{
    type Output = ();

    #[inline(always)]
    fn run<M: MulAdd>(self) {
        let rows = self.x.chunks_exact(self.len);
        for (x, out) in rows.zip(self.out.chunks_exact_mut(self.len)) {
            // Subtracting the largest value keeps every exponent at or below 0. A NaN that isn't the largest makes the sum NaN.
            let max = row::<Highest<T>>(x);
            let sum = row::<Sum<T>>(Exps::<T, M>::new(x, max, out));
            if LOG {
                let log = Math::log::<M>(sum);
                for (o, v) in out.iter_mut().zip(x) {
                    *o = v.sub(max).sub(log);
                }
            } else {
                let factor = T::ONE.div(sum);
                out.iter_mut().for_each(|o| *o = o.mul(factor));
            }
        }
    }
}

/// Softmax of the columns of a matrix whose rows are `inner` long.
struct Columns<'a, T, const LOG: bool> {
    x: &'a [T],
    inner: usize,
    out: &'a mut [T],
}

impl<T: Number + Math, const LOG: bool> Kernel for Columns<'_, T, LOG> {
    type Output = ();

    #[inline(always)]
    fn run<M: MulAdd>(self) {
        let Columns { x, inner, out } = self;
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
                    let exp = Math::exp_down::<M>(v.sub(*max));
                    *o = if LOG { v.sub(*max) } else { exp };
                    *sum = sum.add(exp);
                }
            }
            for sum in &mut sum {
                *sum = if LOG {
                    Math::log::<M>(*sum)
                } else {
                    T::ONE.div(*sum)
                };
            }
            for out in out.chunks_exact_mut(inner) {
                for (o, sum) in out[columns.clone()].iter_mut().zip(&sum) {
                    *o = if LOG { o.sub(*sum) } else { o.mul(*sum) };
                }
            }
        }
    }
}
