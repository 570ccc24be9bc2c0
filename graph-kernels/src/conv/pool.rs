//! Poolings: the largest and the mean of what lies in a window, channel by channel.

use std::marker::PhantomData;

use super::inside::{EachWindow, Inside, Windows};
use super::window::{Span, Window};
use super::{four, values_of};
use crate::dispatch::undefined;
use crate::math::MulAdd;
use crate::number::Number;
use crate::reduce::{Fold, Max, Sum};
use crate::simd::Level;
use crate::widened::Widened;
use crate::{Array, Buffer, KernelError, parallel, simd, widened};

/// Values that a thread combines in a nanosecond.
const PER_NANOSECOND: usize = 8;

/// The largest value in each window of images `[batch, rows, columns, channels]`; NaN wins. What lies outside the image doesn't count.
///
/// # Errors
/// If `x` doesn't have four axes, the windows don't fit, or `x` doesn't hold numbers.
pub fn max_pool2d(
    x: &Array,
    size: [usize; 2],
    window: Window,
    out: &mut Array,
) -> Result<(), KernelError> {
    fn largest<T: Number>(pool: &Pool, x: &[T], out: &mut [T]) {
        pool.run::<T, Max<T>>(x, out, |max, _| max);
    }
    fn wider<T: Widened>(pool: &Pool, x: &[T], out: &mut [T]) {
        widened::with([x], out, |[x], out| largest(pool, x, out));
    }
    let op = "max_pool2d";
    let pool = Pool::new(op, x, size, window)?;
    out.try_reset(x.dtype(), &pool.shape)?;
    match x.buffer() {
        Buffer::F32(v) => largest(&pool, v, values_of(op, out)?),
        Buffer::F64(v) => largest(&pool, v, values_of(op, out)?),
        Buffer::F16(v) => wider(&pool, v, values_of(op, out)?),
        Buffer::BF16(v) => wider(&pool, v, values_of(op, out)?),
        Buffer::I32(v) => wider(&pool, v, values_of(op, out)?),
        Buffer::I64(v) => largest(&pool, v, values_of(op, out)?),
        Buffer::U8(v) => wider(&pool, v, values_of(op, out)?),
        other => return Err(undefined(op, other.dtype())),
    }
    Ok(())
}

/// The mean of the values in each window of images `[batch, rows, columns, channels]`. What lies outside the image doesn't count. 16-bit
/// floats are calculated with in `f32`.
///
/// # Errors
/// If `x` doesn't have four axes, the windows don't fit, or `x` doesn't hold floats.
pub fn avg_pool2d(
    x: &Array,
    size: [usize; 2],
    window: Window,
    out: &mut Array,
) -> Result<(), KernelError> {
    fn mean<T: Number>(pool: &Pool, x: &[T], out: &mut [T])
    where
        Sum<T>: Fold<Value = T, Sum = T>,
    {
        pool.run::<T, Sum<T>>(x, out, |sum, count| sum.div(T::from_usize(count)));
    }
    fn wider<T: Widened<Wide = f32>>(pool: &Pool, x: &[T], out: &mut [T]) {
        widened::with([x], out, |[x], out| mean(pool, x, out));
    }
    let op = "avg_pool2d";
    let pool = Pool::new(op, x, size, window)?;
    out.try_reset(x.dtype(), &pool.shape)?;
    match x.buffer() {
        Buffer::F32(v) => mean(&pool, v, values_of(op, out)?),
        Buffer::F64(v) => mean(&pool, v, values_of(op, out)?),
        Buffer::F16(v) => wider(&pool, v, values_of(op, out)?),
        Buffer::BF16(v) => wider(&pool, v, values_of(op, out)?),
        other => return Err(undefined(op, other.dtype())),
    }
    Ok(())
}

pub(super) struct Pool {
    pub rows: Span,
    pub columns: Span,
    pub channels: usize,
    /// The shape of the result.
    pub shape: [usize; 4],
}

impl Pool {
    pub fn new(op: &str, x: &Array, size: [usize; 2], window: Window) -> Result<Pool, KernelError> {
        Pool::of(op, x.shape(), size, window)
    }

    /// Of images of some sizes.
    pub fn of(
        op: &str,
        images: &[usize],
        size: [usize; 2],
        window: Window,
    ) -> Result<Pool, KernelError> {
        let [batch, height, width, channels] = four(op, images)?;
        let rows = window.span(0, height, size[0])?;
        let columns = window.span(1, width, size[1])?;
        Ok(Pool {
            rows,
            columns,
            channels,
            shape: [batch, rows.windows, columns.windows, channels],
        })
    }

    fn run<T: Number, F: Fold<Value = T, Sum = T>>(
        &self,
        x: &[T],
        out: &mut [T],
        finish: impl Fn(T, usize) -> T + Copy + Sync,
    ) {
        let image = self.rows.size * self.columns.size * self.channels;
        let row = self.columns.windows * self.channels;
        let places = self.rows.places.saturating_mul(self.columns.places);
        let nanoseconds = out.len().saturating_mul(places) / PER_NANOSECOND;
        parallel::for_each_chunk(out, row, nanoseconds, |start, out| {
            let line = start / row;
            let window = line % self.rows.windows;
            simd::run(Windows {
                spans: [self.rows, self.columns],
                rows: window..window + 1,
                channels: self.channels,
                each: Row {
                    channels: self.channels,
                    image: &x[line / self.rows.windows * image..][..image],
                    out,
                    finish,
                    fold: PhantomData::<F>,
                },
            });
        });
    }
}

/// One row of the result.
struct Row<'a, F, T, G> {
    channels: usize,
    image: &'a [T],
    out: &'a mut [T],
    finish: G,
    fold: PhantomData<F>,
}

impl<T: Number, F: Fold<Value = T, Sum = T>, G: Fn(T, usize) -> T> EachWindow for Row<'_, F, T, G> {
    const UP_TO: Level = T::RARELY_UP_TO;
    #[inline(always)]
    fn block<M: MulAdd, const W: usize>(&mut self, window: &Inside, channel: usize) {
        let mut sums = [F::IDENTITY; W];
        for p in 0..window.rows {
            for q in 0..window.columns {
                let at = window.pixel(p, q) * self.channels + channel;
                let Some(values) = self.image[at..].first_chunk::<W>() else {
                    return;
                };
                for (sum, value) in sums.iter_mut().zip(values) {
                    *sum = F::combine(*sum, *value);
                }
            }
        }
        let out = &mut self.out[window.window * self.channels + channel..][..W];
        for (out, sum) in out.iter_mut().zip(sums) {
            *out = (self.finish)(sum, window.count());
        }
    }
}
