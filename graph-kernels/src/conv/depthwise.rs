//! The depthwise convolution: each channel has filters of its own.

use super::window::{Span, Window};
use super::{Binary, on_floats, sizes4};
use crate::dispatch::shape_text;
use crate::math::MulAdd;
use crate::number::Number;
use crate::simd::Kernel;
use crate::{Array, KernelError, parallel, simd};

/// Multiplications that a thread does in a nanosecond.
const PER_NANOSECOND: usize = 8;

/// The convolution of each channel of images `[batch, rows, columns, channels]` with its own filters `[rows, columns, channels, multiplier]`; the
/// result has `channels * multiplier` channels, those of one channel side by side. 16-bit floats are calculated with in `f32`.
///
/// # Errors
/// If the operands don't have four axes or equal dtypes, their channels differ, the windows don't fit, or they aren't floats.
pub fn depthwise_conv2d(
    x: &Array,
    filter: &Array,
    window: Window,
    out: &mut Array,
) -> Result<(), KernelError> {
    let [batch, height, width, channels] = sizes4("depthwise_conv2d", x)?;
    let [rows, columns, depth, multiplier] = sizes4("depthwise_conv2d", filter)?;
    if channels != depth {
        let (x, filter) = (shape_text(x.shape()), shape_text(filter.shape()));
        return Err(KernelError::Shape(format!(
            "input and filter must have the same depth: {channels} vs {depth} ({x} and {filter})"
        )));
    }
    let spans = [
        window.span(0, height, rows)?,
        window.span(1, width, columns)?,
    ];
    let conv = Depthwise::new(spans, channels, multiplier);
    let [rows, columns] = spans;
    let filters = channels.saturating_mul(multiplier);
    let shape = [batch, rows.windows, columns.windows, filters];
    on_floats("depthwise_conv2d", (x, filter), &shape, out, &conv)
}

pub(super) struct Depthwise {
    rows: Span,
    columns: Span,
    channels: usize,
    multiplier: usize,
}

impl Depthwise {
    /// Of so many channels, with so many filters each.
    pub fn new([rows, columns]: [Span; 2], channels: usize, multiplier: usize) -> Depthwise {
        Depthwise {
            rows,
            columns,
            channels,
            multiplier,
        }
    }
}

impl Binary for Depthwise {
    fn run<T: Number>(&self, x: &[T], filter: &[T], out: &mut [T]) {
        if x.is_empty() || out.is_empty() {
            return out.fill(T::ZERO);
        }
        let image = self.rows.size * self.columns.size * self.channels;
        let row = self.columns.windows * self.channels * self.multiplier;
        let places = self.rows.places * self.columns.places;
        let nanoseconds = out.len().saturating_mul(places) / PER_NANOSECOND;
        parallel::for_each_chunk(out, row, nanoseconds, |start, out| {
            let line = start / row;
            let image = &x[line / self.rows.windows * image..][..image];
            let window = line % self.rows.windows;
            simd::run(Row {
                conv: self,
                image,
                filter,
                window,
                out,
            });
        });
    }
}

/// One row of the result.
struct Row<'a, T> {
    conv: &'a Depthwise,
    image: &'a [T],
    filter: &'a [T],
    window: usize,
    out: &'a mut [T],
}

impl<T: Number> Kernel for Row<'_, T> {
    type Output = ();

    #[inline(always)]
    fn run<M: MulAdd>(self) {
        let Depthwise {
            rows,
            columns,
            channels,
            multiplier,
        } = *self.conv;
        let filters = channels * multiplier;
        self.out.fill(T::ZERO);
        for (window, out) in self.out.chunks_exact_mut(filters).enumerate() {
            for p in rows.inside(self.window) {
                for q in columns.inside(window) {
                    let at =
                        (rows.at(self.window, p) * columns.size + columns.at(window, q)) * channels;
                    let values = &self.image[at..at + channels];
                    let filter = &self.filter[(p * columns.places + q) * filters..][..filters];
                    if multiplier == 1 {
                        for ((o, v), f) in out.iter_mut().zip(values).zip(filter) {
                            *o = v.mul_add::<M>(*f, *o);
                        }
                        continue;
                    }
                    let filter = filter.chunks_exact(multiplier);
                    for ((out, v), filter) in
                        out.chunks_exact_mut(multiplier).zip(values).zip(filter)
                    {
                        for (o, f) in out.iter_mut().zip(filter) {
                            *o = v.mul_add::<M>(*f, *o);
                        }
                    }
                }
            }
        }
    }
}
