//! The gradients of poolings: of the maximum, to the first largest value of each window; of the mean, to all values of the window
//! equally.

use super::inside::{EachWindow, Inside, Windows};
use super::pool::Pool;
use super::window::Window;
use super::{Function, on_floats, on_numbers};
use crate::dispatch::shape_text;
use crate::number::Number;
use crate::simd::Level;
use crate::simd::MulAdd;
use crate::{Array, KernelError, parallel, simd};

/// The gradient with respect to the images `x`. `g` is the gradient with respect to their [`max_pool2d`](crate::max_pool2d): the first
/// largest value of each window gets all of it.
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

/// For each window of `x`, the value in `values` (of the shape of `x`) at the position of the window's first largest value: the transpose
/// of [`max_pool2d_grad`].
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

/// The gradient with respect to images of `sizes`. `g` is the gradient with respect to their [`avg_pool2d`](crate::avg_pool2d).
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
    /// The number of values of an image, and of its pooling.
    fn image(&self) -> [usize; 2] {
        let size = self.rows.size * self.columns.size * self.channels;
        [
            size,
            self.rows.windows * self.columns.windows * self.channels,
        ]
    }

    /// Does `each` for all windows of an image.
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

/// Adds each gradient to the pixel with the first largest value of its window, channel by channel.
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

/// [`ToLargest`] for one image.
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
                // The first largest value gets the whole gradient; zero is left for the others.
                let given = where_largest(values, &largest, &left, &[T::ZERO; W]);
                left = where_largest(values, &largest, &[T::ZERO; W], &left);
                *out = sums(out, &given);
            }
        }
    }
}

/// The largest value of a window for each of `W` channels; `at` gives their position at a pixel.
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

/// Selects `yes` where a window's value is its largest one, else `no`. If any value is NaN, NaN is the largest.
///
/// Here and in [`sums`], arrays are passed whole; otherwise the compiler stores each value by itself.
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

/// Reads the value at the pixel that [`ToLargest`] writes to.
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

/// [`FromLargest`] for one image.
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
        // In reverse order, so that the first largest value is the one that remains.
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

/// Adds an equal share of each gradient to all pixels of its window.
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

/// [`ToAll`] for one image.
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
