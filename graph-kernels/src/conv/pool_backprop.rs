//! What gradients go through on their way back through a pooling: to the first largest value of a window, or to all of its values alike.

use super::pool::Pool;
use super::window::Window;
use super::{Binary, on_floats, on_numbers};
use crate::dispatch::shape_text;
use crate::math::MulAdd;
use crate::number::Number;
use crate::simd::Kernel;
use crate::{Array, KernelError, parallel, scratch, simd};

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
    let to_pixels = ThroughLargest::<true>(pool);
    on_numbers("max_pool2d_grad", (x, g), shape, out, &to_pixels)
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
    let to_windows = ThroughLargest::<false>(pool);
    on_numbers(op, (x, values), &shape, out, &to_windows)
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
    on_floats("avg_pool2d_grad", (g, g), sizes, out, &ToAll(pool))
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

    /// The windows of an image, with the number of each.
    #[inline(always)]
    fn windows(&self) -> impl Iterator<Item = (usize, [usize; 2])> {
        let (rows, columns) = (self.rows.windows, self.columns.windows);
        let all = (0..rows).flat_map(move |row| (0..columns).map(move |column| [row, column]));
        all.enumerate()
    }

    /// Where the values of each pixel begin that a window has in the image.
    #[inline(always)]
    fn pixels(&self, [row, column]: [usize; 2]) -> impl Iterator<Item = usize> {
        let (rows, columns, channels) = (self.rows, self.columns, self.channels);
        rows.inside(row).flat_map(move |p| {
            let line = rows.at(row, p) * columns.size;
            let places = columns.inside(column);
            places.map(move |q| (line + columns.at(column, q)) * channels)
        })
    }

    /// For each channel the largest value of a window, and the number of the pixel where it stands first.
    #[inline(always)]
    fn find_largest<T: Number>(
        &self,
        image: &[T],
        window: [usize; 2],
        values: &mut [T],
        numbers: &mut [i32],
    ) {
        for (number, at) in (0..).zip(self.pixels(window)) {
            let pixel = &image[at..at + self.channels];
            if number == 0 {
                values.copy_from_slice(pixel);
                numbers.fill(0);
                continue;
            }
            for ((largest, place), value) in values.iter_mut().zip(numbers.iter_mut()).zip(pixel) {
                let wins = (*value > *largest) | (value.is_nan() & !largest.is_nan());
                *largest = if wins { *value } else { *largest };
                *place = if wins { number } else { *place };
            }
        }
    }

    fn nanoseconds(&self, values: usize) -> usize {
        values.saturating_mul(self.rows.places.saturating_mul(self.columns.places))
    }
}

/// Calls a function with room for a value and a number of each channel.
fn with_room<T: Number>(channels: usize, f: impl FnOnce(&mut [T], &mut [i32])) {
    scratch::with(channels, |values| {
        scratch::with(channels, |numbers| f(values, numbers));
    });
}

/// What goes between a window and the pixel with its first largest value, channel by channel: to the pixels, or to the windows.
struct ThroughLargest<const TO_PIXELS: bool>(Pool);

impl<const TO_PIXELS: bool> Binary for ThroughLargest<TO_PIXELS> {
    fn run<T: Number>(&self, x: &[T], values: &[T], out: &mut [T]) {
        let pool = &self.0;
        let [image, pooled] = pool.image();
        let (of_out, of_values) = match TO_PIXELS {
            true => (image, pooled),
            false => (pooled, image),
        };
        out.fill(T::ZERO);
        let nanoseconds = pool.nanoseconds(values.len().min(out.len()));
        parallel::for_each_chunk(out, of_out, nanoseconds, |start, out| {
            let n = start / of_out;
            with_room(pool.channels, |largest, numbers| {
                simd::run(ImageThroughLargest::<_, TO_PIXELS> {
                    pool,
                    x: &x[n * image..],
                    values: &values[n * of_values..],
                    largest,
                    numbers,
                    out,
                });
            });
        });
    }
}

/// What one image gets, or gives.
struct ImageThroughLargest<'a, T, const TO_PIXELS: bool> {
    pool: &'a Pool,
    x: &'a [T],
    values: &'a [T],
    /// Of each channel the largest value of a window, and the number of its pixel.
    largest: &'a mut [T],
    numbers: &'a mut [i32],
    out: &'a mut [T],
}

impl<T: Number, const TO_PIXELS: bool> Kernel for ImageThroughLargest<'_, T, TO_PIXELS> {
    type Output = ();

    #[inline(always)]
    fn run<M: MulAdd>(self) {
        let (pool, channels) = (self.pool, self.pool.channels);
        for (at, window) in pool.windows() {
            pool.find_largest(self.x, window, self.largest, self.numbers);
            for (number, pixel) in (0..).zip(pool.pixels(window)) {
                let (to, from) = match TO_PIXELS {
                    true => (pixel, at * channels),
                    false => (at * channels, pixel),
                };
                let out = &mut self.out[to..to + channels];
                let values = &self.values[from..from + channels];
                for ((to, value), largest) in out.iter_mut().zip(values).zip(&*self.numbers) {
                    *to = to.add(if *largest == number { *value } else { T::ZERO });
                }
            }
        }
    }
}

struct ToAll(Pool);

impl Binary for ToAll {
    fn run<T: Number>(&self, g: &[T], _: &[T], out: &mut [T]) {
        let [image, pooled] = self.0.image();
        out.fill(T::ZERO);
        let nanoseconds = self.0.nanoseconds(g.len());
        parallel::for_each_chunk(out, image, nanoseconds, |start, out| {
            scratch::with(self.0.channels, |share| {
                let (pool, g) = (&self.0, &g[start / image * pooled..]);
                simd::run(ImageToAll {
                    pool,
                    g,
                    share,
                    out,
                });
            });
        });
    }
}

/// What one image gets.
struct ImageToAll<'a, T> {
    pool: &'a Pool,
    g: &'a [T],
    /// Of each channel what a pixel of a window gets.
    share: &'a mut [T],
    out: &'a mut [T],
}

impl<T: Number> Kernel for ImageToAll<'_, T> {
    type Output = ();

    #[inline(always)]
    fn run<M: MulAdd>(self) {
        let (pool, channels) = (self.pool, self.pool.channels);
        for (at, [row, column]) in pool.windows() {
            let count = pool.rows.inside(row).len() * pool.columns.inside(column).len();
            let count = T::from_usize(count);
            let g = &self.g[at * channels..][..channels];
            for (share, g) in self.share.iter_mut().zip(g) {
                *share = g.div(count);
            }
            for at in pool.pixels([row, column]) {
                let out = &mut self.out[at..at + channels];
                for (to, share) in out.iter_mut().zip(&*self.share) {
                    *to = to.add(*share);
                }
            }
        }
    }
}
