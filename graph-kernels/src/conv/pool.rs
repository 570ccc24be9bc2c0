//! Poolings: the largest and the mean of what lies in a window, channel by channel.

use half::slice::HalfFloatSliceExt;

use super::window::{Span, Window};
use super::{four, values_of};
use crate::dispatch::{dispatch, undefined};
use crate::element::Half;
use crate::math::MulAdd;
use crate::number::Number;
use crate::reduce::{Fold, Max, Sum};
use crate::simd::Kernel;
use crate::{Array, Buffer, KernelError, half_floats, parallel, simd};

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
    let pool = Pool::new("max_pool2d", x, size, window)?;
    out.try_reset(x.dtype(), &pool.shape)?;
    dispatch!(number "max_pool2d", x, v => {
        pool.run::<_, Max<_>>(v, values_of("max_pool2d", out)?, |max, _| max);
        Ok(())
    })
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
    fn widened<T: Half>(pool: &Pool, x: &[T], out: &mut [T])
    where
        [T]: HalfFloatSliceExt,
    {
        half_floats::with([x], out, |[x], out| mean(pool, x, out));
    }
    let op = "avg_pool2d";
    let pool = Pool::new(op, x, size, window)?;
    out.try_reset(x.dtype(), &pool.shape)?;
    match x.buffer() {
        Buffer::F32(v) => mean(&pool, v, values_of(op, out)?),
        Buffer::F64(v) => mean(&pool, v, values_of(op, out)?),
        Buffer::F16(v) => widened(&pool, v, values_of(op, out)?),
        Buffer::BF16(v) => widened(&pool, v, values_of(op, out)?),
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
            simd::run(Row::<F, _, _> {
                pool: self,
                image: &x[line / self.rows.windows * image..][..image],
                window: line % self.rows.windows,
                out,
                finish,
                marker: std::marker::PhantomData,
            });
        });
    }
}

/// One row of the result.
struct Row<'a, F, T, G> {
    pool: &'a Pool,
    image: &'a [T],
    window: usize,
    out: &'a mut [T],
    finish: G,
    marker: std::marker::PhantomData<F>,
}

impl<T: Number, F: Fold<Value = T, Sum = T>, G: Fn(T, usize) -> T> Kernel for Row<'_, F, T, G> {
    type Output = ();

    #[inline(always)]
    fn run<M: MulAdd>(self) {
        let Pool {
            rows,
            columns,
            channels,
            ..
        } = *self.pool;
        self.out.fill(F::IDENTITY);
        for (window, out) in self.out.chunks_exact_mut(channels.max(1)).enumerate() {
            let (down, right) = (rows.inside(self.window), columns.inside(window));
            let count = down.len() * right.len();
            for p in down {
                for q in right.clone() {
                    let at =
                        (rows.at(self.window, p) * columns.size + columns.at(window, q)) * channels;
                    for (o, v) in out.iter_mut().zip(&self.image[at..at + channels]) {
                        *o = F::combine(*o, *v);
                    }
                }
            }
            out.iter_mut().for_each(|o| *o = (self.finish)(*o, count));
        }
    }
}
