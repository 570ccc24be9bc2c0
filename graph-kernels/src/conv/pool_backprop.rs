//! What gradients go through on their way back through a pooling: to the first largest value of a window, or to all of its values alike.

use super::inside::{EachWindow, Inside, Windows};
use super::pool::Pool;
use super::window::Window;
use super::{Function, on_floats, on_numbers};
use crate::dispatch::shape_text;
use crate::number::Number;
use crate::simd::Level;
use crate::simd::MulAdd;
use crate::{Array, KernelError, parallel, simd};

/// The gradient with respect to the images `x` from that with respect to their [`max_pool2d`](crate::max_pool2d), which is of the shape of `g`:
/// the first largest value of a window gets all of it.
///
/// # Errors
/// As [`max_pool2d`](crate::max_pool2d), or if `g` is of another shape or dtype.
pub fn max_pool2d_grad(
    x: &Array,
    g: &Array,
    size: [usize; 2],
    window: Window,
    out: &mut Array,
) -> Result<(), KernelError> {
    let pool = Pool::new("max_pool2d_grad", x, size, window)?;
    check_gradient("max_pool2d_grad", &pool.shape, g)?;
    let shape = x.shape();
    on_numbers("max_pool2d_grad", [x, g], shape, out, &ToLargest(pool))
}

/// What stands in `values`, of the shape of `x`, where the first largest value of each window of `x` stands: the transpose of
/// [`max_pool2d_grad`].
///
/// # Errors
/// As [`max_pool2d`](crate::max_pool2d), or if `values` is of another shape or dtype.
pub fn max_pool2d_grad_grad(
    x: &Array,
    values: &Array,
    size: [usize; 2],
    window: Window,
    out: &mut Array,
) -> Result<(), KernelError> {
    let op = "max_pool2d_grad_grad";
    let pool = Pool::new(op, x, size, window)?;
    check_gradient(op, x.shape(), values)?;
    let shape = pool.shape;
    on_numbers(op, [x, values], &shape, out, &FromLargest(pool))
}

/// The gradient with respect to images of `sizes` from that with respect to their [`avg_pool2d`](crate::avg_pool2d), which is of the shape of
/// `g`.
///
/// # Errors
/// As [`avg_pool2d`](crate::avg_pool2d), or if `g` is of another shape.
pub fn avg_pool2d_grad(
    sizes: &[usize],
    g: &Array,
    size: [usize; 2],
    window: Window,
    out: &mut Array,
) -> Result<(), KernelError> {
    let pool = Pool::of("avg_pool2d_grad", sizes, size, window)?;
    check_gradient("avg_pool2d_grad", &pool.shape, g)?;
    on_floats("avg_pool2d_grad", [g], sizes, out, &ToAll(pool))
}

fn check_gradient(op: &str, expected: &[usize], g: &Array) -> Result<(), KernelError> {
    if g.shape() == expected {
        return Ok(());
    }
    let (g, expected) = (shape_text(g.shape()), shape_text(expected));
    Err(KernelError::Shape(format!(
        "`{op}` takes a gradient of shape {expected}, not {g}"
    )))
}

impl Pool {
    /// The values of an image, and of its pooling.
    fn image(&self) -> [usize; 2] {
        let size = self.rows.size * self.columns.size * self.channels;
        [
            size,
            self.rows.windows * self.columns.windows * self.channels,
        ]
    }

    /// All windows of an image.
    fn all_windows<F: EachWindow>(&self, each: F) -> Windows<F> {
        Windows {
            spans: [self.rows, self.columns],
            rows: 0..self.rows.windows,
            channels: self.channels,
            each,
        }
    }

    fn nanoseconds(&self, values: usize) -> usize {
        values.saturating_mul(self.rows.places.saturating_mul(self.columns.places))
    }
}

/// To the pixel with the first largest value of each window, channel by channel.
struct ToLargest(Pool);

impl Function<2> for ToLargest {
    fn run<T: Number>(&self, [x, g]: [&[T]; 2], out: &mut [T]) {
        let [image, pooled] = self.0.image();
        let nanoseconds = self.0.nanoseconds(g.len());
        parallel::for_each_chunk(out, image, nanoseconds, |start, out| {
            let n = start / image;
            out.fill(T::ZERO);
            simd::run(self.0.all_windows(ImageToLargest {
                channels: self.0.channels,
                x: &x[n * image..],
                g: &g[n * pooled..],
                out,
            }));
        });
    }
}

/// What one image gets.
struct ImageToLargest<'a, T> {
    channels: usize,
    x: &'a [T],
    g: &'a [T],
    out: &'a mut [T],
}

impl<T: Number> EachWindow for ImageToLargest<'_, T> {
    const UP_TO: Level = T::RARELY_UP_TO;
    #[inline(always)]
    fn block<M: MulAdd, const W: usize>(&mut self, window: &Inside, channel: usize) {
        let at = |n: usize| n * self.channels + channel;
        let Some(g) = self.g[at(window.window)..].first_chunk::<W>() else {
            return;
        };
        let (largest, mut left) = (largest::<T, W>(self.x, window, at), *g);
        for p in 0..window.rows {
            for q in 0..window.columns {
                let pixel = at(window.pixel(p, q))..;
                let values = self.x[pixel.clone()].first_chunk::<W>();
                let out = self.out[pixel].first_chunk_mut::<W>();
                let (Some(values), Some(out)) = (values, out) else {
                    return;
                };
                // The first one gets all of it, so that nothing is left for others.
                let given = where_largest(values, &largest, &left, &[T::ZERO; W]);
                left = where_largest(values, &largest, &[T::ZERO; W], &left);
                *out = sums(out, &given);
            }
        }
    }
}

/// The largest value that some channels have in a window; `at` gives where they are at a pixel.
#[inline(always)]
fn largest<T: Number, const W: usize>(
    image: &[T],
    window: &Inside,
    at: impl Fn(usize) -> usize,
) -> [T; W] {
    let mut largest = [T::LOWEST; W];
    for p in 0..window.rows {
        for q in 0..window.columns {
            let Some(values) = image[at(window.pixel(p, q))..].first_chunk::<W>() else {
                return largest;
            };
            for (largest, value) in largest.iter_mut().zip(values) {
                *largest = value.maximum(*largest);
            }
        }
    }
    largest
}

/// Of each pair of values one: the first where a value of a window is its largest one, which is NaN if any is.
///
/// Here and in [`sums`], whole arrays come and go, or else each value would be stored by itself.
#[inline(always)]
fn where_largest<T: Number, const W: usize>(
    values: &[T; W],
    largest: &[T; W],
    yes: &[T; W],
    no: &[T; W],
) -> [T; W] {
    let mut chosen = *no;
    for i in 0..W {
        let is_largest = (values[i] == largest[i]) | values[i].is_nan();
        chosen[i] = if is_largest { yes[i] } else { no[i] };
    }
    chosen
}

#[inline(always)]
fn sums<T: Number, const W: usize>(a: &[T; W], b: &[T; W]) -> [T; W] {
    let mut sums = *a;
    for i in 0..W {
        sums[i] = a[i].add(b[i]);
    }
    sums
}

/// From that pixel to the window.
struct FromLargest(Pool);

impl Function<2> for FromLargest {
    fn run<T: Number>(&self, [x, values]: [&[T]; 2], out: &mut [T]) {
        let [image, pooled] = self.0.image();
        let nanoseconds = self.0.nanoseconds(out.len());
        parallel::for_each_chunk(out, pooled, nanoseconds, |start, out| {
            let n = start / pooled;
            simd::run(self.0.all_windows(ImageFromLargest {
                channels: self.0.channels,
                x: &x[n * image..],
                values: &values[n * image..],
                out,
            }));
        });
    }
}

/// What one image gives.
struct ImageFromLargest<'a, T> {
    channels: usize,
    x: &'a [T],
    values: &'a [T],
    out: &'a mut [T],
}

impl<T: Number> EachWindow for ImageFromLargest<'_, T> {
    const UP_TO: Level = T::RARELY_UP_TO;
    #[inline(always)]
    fn block<M: MulAdd, const W: usize>(&mut self, window: &Inside, channel: usize) {
        let at = |n: usize| n * self.channels + channel;
        let largest = largest::<T, W>(self.x, window, at);
        let mut found = [T::ZERO; W];
        // The last place first, so that what stays is of the first one that is the largest.
        for p in (0..window.rows).rev() {
            for q in (0..window.columns).rev() {
                let pixel = at(window.pixel(p, q))..;
                let ours = self.x[pixel.clone()].first_chunk::<W>();
                let (Some(ours), Some(values)) = (ours, self.values[pixel].first_chunk::<W>())
                else {
                    return;
                };
                found = where_largest(ours, &largest, values, &found);
            }
        }
        self.out[at(window.window)..][..W].copy_from_slice(&found);
    }
}

/// To all pixels of each window alike.
struct ToAll(Pool);

impl Function<1> for ToAll {
    fn run<T: Number>(&self, [g]: [&[T]; 1], out: &mut [T]) {
        let [image, pooled] = self.0.image();
        let nanoseconds = self.0.nanoseconds(g.len());
        parallel::for_each_chunk(out, image, nanoseconds, |start, out| {
            out.fill(T::ZERO);
            simd::run(self.0.all_windows(ImageToAll {
                channels: self.0.channels,
                g: &g[start / image * pooled..],
                out,
            }));
        });
    }
}

/// What one image gets.
struct ImageToAll<'a, T> {
    channels: usize,
    g: &'a [T],
    out: &'a mut [T],
}

impl<T: Number> EachWindow for ImageToAll<'_, T> {
    const UP_TO: Level = T::RARELY_UP_TO;
    #[inline(always)]
    fn block<M: MulAdd, const W: usize>(&mut self, window: &Inside, channel: usize) {
        let at = |n: usize| n * self.channels + channel;
        let count = T::from_usize(window.count());
        let Some(g) = self.g[at(window.window)..].first_chunk::<W>() else {
            return;
        };
        let share = g.map(|g| g.div(count));
        for p in 0..window.rows {
            for q in 0..window.columns {
                let Some(out) = self.out[at(window.pixel(p, q))..].first_chunk_mut::<W>() else {
                    return;
                };
                for i in 0..W {
                    out[i] = out[i].add(share[i]);
                }
            }
        }
    }
}
