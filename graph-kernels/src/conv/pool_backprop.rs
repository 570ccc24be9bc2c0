//! What gradients go through on their way back through a pooling: to the first largest value of a window, or to all of its values alike.

use super::pool::Pool;
use super::window::Window;
use super::{Binary, on_floats, on_numbers};
use crate::dispatch::shape_text;
use crate::number::Number;
use crate::{Array, KernelError, parallel};

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
    on_numbers("max_pool2d_grad", (x, g), shape, out, &ToLargest(pool))
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
    on_numbers(op, (x, values), &shape, out, &OfLargest(pool))
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

    /// Calls `f` with the number of each window of an image, and its pixels' numbers.
    fn for_each_window(&self, mut f: impl FnMut(usize, &[usize])) {
        let mut pixels = Vec::new();
        for row in 0..self.rows.windows {
            for column in 0..self.columns.windows {
                pixels.clear();
                for p in self.rows.inside(row) {
                    let line = self.rows.at(row, p) * self.columns.size;
                    let places = self.columns.inside(column);
                    pixels.extend(places.map(|q| line + self.columns.at(column, q)));
                }
                f(row * self.columns.windows + column, &pixels);
            }
        }
    }

    /// Calls `f` with the place in the pooling and that in the image of the first largest value of each window.
    fn for_each_largest<T: Number>(&self, image: &[T], mut f: impl FnMut(usize, usize)) {
        let channels = self.channels;
        self.for_each_window(|window, pixels| {
            for channel in 0..channels {
                let mut places = pixels.iter().map(|pixel| pixel * channels + channel);
                let Some(first) = places.next() else { continue };
                let largest = places.fold(first, |largest, at| {
                    let (new, old) = (image[at], image[largest]);
                    let wins = new > old || new.is_nan() && !old.is_nan();
                    if wins { at } else { largest }
                });
                f(window * channels + channel, largest);
            }
        });
    }

    fn nanoseconds(&self, values: usize) -> usize {
        values.saturating_mul(self.rows.places.saturating_mul(self.columns.places))
    }
}

struct ToLargest(Pool);

impl Binary for ToLargest {
    fn run<T: Number>(&self, x: &[T], g: &[T], out: &mut [T]) {
        let [image, pooled] = self.0.image();
        out.fill(T::ZERO);
        let nanoseconds = self.0.nanoseconds(g.len());
        parallel::for_each_chunk(out, image, nanoseconds, |start, out| {
            let (x, g) = (&x[start..], &g[start / image * pooled..]);
            self.0
                .for_each_largest(x, |from, to| out[to] = out[to].add(g[from]));
        });
    }
}

struct OfLargest(Pool);

impl Binary for OfLargest {
    fn run<T: Number>(&self, x: &[T], values: &[T], out: &mut [T]) {
        let [image, pooled] = self.0.image();
        out.fill(T::ZERO);
        let nanoseconds = self.0.nanoseconds(out.len());
        parallel::for_each_chunk(out, pooled, nanoseconds, |start, out| {
            let at = start / pooled * image;
            let (x, values) = (&x[at..], &values[at..]);
            self.0
                .for_each_largest(x, |to, from| out[to] = values[from]);
        });
    }
}

struct ToAll(Pool);

impl Binary for ToAll {
    fn run<T: Number>(&self, g: &[T], _: &[T], out: &mut [T]) {
        let ([image, pooled], channels) = (self.0.image(), self.0.channels);
        out.fill(T::ZERO);
        let nanoseconds = self.0.nanoseconds(g.len());
        parallel::for_each_chunk(out, image, nanoseconds, |start, out| {
            let g = &g[start / image * pooled..];
            self.0.for_each_window(|window, pixels| {
                let count = T::from_usize(pixels.len());
                let g = &g[window * channels..][..channels];
                for pixel in pixels {
                    for (to, g) in out[pixel * channels..][..channels].iter_mut().zip(g) {
                        *to = to.add(g.div(count));
                    }
                }
            });
        });
    }
}
