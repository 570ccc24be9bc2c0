//! Poolings: the maximum or the mean of each window, channel by channel.

use super::inside::{EachWindow, Inside, Windows};
use super::window::{Span, Window};
use super::{Function, four, on_floats, on_numbers};
use crate::number::Number;
use crate::simd::Level;
use crate::simd::MulAdd;
use crate::widened::AsInt64;
use crate::{Array, KernelError, parallel, simd};

/// The number of values that a thread combines in a nanosecond.
const PER_NANOSECOND: usize = 8;

/// The largest value in each window of images `[batch, rows, columns, channels]`; NaN wins. Positions outside the image don't count.
///
/// # Errors
/// If `x` doesn't have four axes, the windows don't fit, or `x` doesn't hold numbers.
pub fn max_pool2d(
    x: &Array,
    size: [usize; 2],
    window: Window,
    out: &mut Array,
) -> Result<(), KernelError> {
    if let Some(done) = AsInt64::ByOrder.map(x, out, |x, out| max_pool2d(x, size, window, out)) {
        return done;
    }
    let op = "max_pool2d";
    let pool = Pool::new(op, x, size, window)?;
    let shape = pool.shape;
    on_numbers(op, [x], &shape, out, &Largest(pool))
}

/// The mean of the values in each window of images `[batch, rows, columns, channels]`. Positions outside the image don't count. 16-bit
/// floats are calculated in `f32`.
///
/// # Errors
/// If `x` doesn't have four axes, the windows don't fit, or `x` doesn't hold floats.
pub fn avg_pool2d(
    x: &Array,
    size: [usize; 2],
    window: Window,
    out: &mut Array,
) -> Result<(), KernelError> {
    let op = "avg_pool2d";
    let pool = Pool::new(op, x, size, window)?;
    let shape = pool.shape;
    on_floats(op, [x], &shape, out, &Mean(pool))
}

struct Largest(Pool);

impl Function<1> for Largest {
    fn run<T: Number>(&self, [x]: [&[T]; 1], out: &mut [T]) {
        self.0.run(x, out, (T::LOWEST, T::maximum), |max, _| max);
    }
}

struct Mean(Pool);

impl Function<1> for Mean {
    fn run<T: Number>(&self, [x]: [&[T]; 1], out: &mut [T]) {
        let mean = |sum: T, count| sum.div(T::from_usize(count));
        self.0.run(x, out, (T::ZERO, T::add), mean);
    }
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

    /// The pooling of images with the given sizes.
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

    /// Combines the values of each window, starting with `first`; `finish` gets the result and the number of values.
    fn run<T: Number>(
        &self,
        x: &[T],
        out: &mut [T],
        (first, combine): (T, impl Fn(T, T) -> T + Copy + Sync),
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
                    first,
                    combine,
                    finish,
                },
            });
        });
    }
}

/// One row of the result.
struct Row<'a, T, C, F> {
    channels: usize,
    image: &'a [T],
    out: &'a mut [T],
    first: T,
    combine: C,
    finish: F,
}

impl<T: Number, C: Fn(T, T) -> T, F: Fn(T, usize) -> T> EachWindow for Row<'_, T, C, F> {
    const UP_TO: Level = T::RARELY_UP_TO;
    #[inline(always)]
    fn block<M: MulAdd, const W: usize>(&mut self, window: &Inside, channel: usize) {
        let mut sums = [self.first; W];
        for p in 0..window.rows {
            for q in 0..window.columns {
                let at = window.pixel(p, q) * self.channels + channel;
                let Some(values) = self.image[at..].first_chunk::<W>() else {
                    return;
                };
                for (sum, value) in sums.iter_mut().zip(values) {
                    *sum = (self.combine)(*sum, *value);
                }
            }
        }
        let out = &mut self.out[window.window * self.channels + channel..][..W];
        for (out, sum) in out.iter_mut().zip(sums) {
            *out = (self.finish)(sum, window.count());
        }
    }
}
