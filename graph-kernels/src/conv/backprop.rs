//! What gradients go through on their way back through a convolution: to its images, which is the transposed convolution, and to its
//! filters, a matrix product of the windows with the gradient. Groups, and so depthwise convolutions, are summed place by place.

use std::ops::Range;

use super::grouped::conv_groups;
use super::transposed::conv2d_transpose;
use super::window::{Span, Window};
use super::{Binary, four, on_floats};
use crate::dispatch::shape_text;
use crate::matmul::{Matrix, cost, plain_product};
use crate::number::Number;
use crate::{Array, KernelError, parallel, scratch};

/// The most parts of a batch whose sums are calculated side by side. It doesn't depend on the number of threads, so that the sums don't.
const PARTS: usize = 8;
/// How many values of windows are copied side by side at a time.
const BAND: usize = 1 << 16;

/// The gradient with respect to images of `sizes` (`[batch, rows, columns, channels]`) from that with respect to their convolution with
/// `filter` `[rows, columns, depth, filters]`, which is of the shape of `g`. 16-bit floats are calculated with in `f32`.
///
/// # Errors
/// If the convolution wouldn't give the shape of `g`, or the operands aren't floats of one dtype.
pub fn conv2d_backprop_input(
    sizes: &[usize],
    filter: &Array,
    g: &Array,
    window: Window,
    out: &mut Array,
) -> Result<(), KernelError> {
    let conv = Backprop::new("conv2d_backprop_input", sizes, filter.shape(), g, window)?;
    if conv.groups == 1 {
        let size = [conv.rows.size, conv.columns.size];
        return conv2d_transpose(g, filter, size, window, out);
    }
    on_floats(
        "conv2d_backprop_input",
        (filter, g),
        sizes,
        out,
        &ToImages(conv),
    )
}

/// The gradient with respect to filters of `sizes` (`[rows, columns, depth, filters]`) from that with respect to the convolution of the
/// images `x` with them, which is of the shape of `g`. 16-bit floats are calculated with in `f32`.
///
/// # Errors
/// If the convolution wouldn't give the shape of `g`, or the operands aren't floats of one dtype.
pub fn conv2d_backprop_filter(
    x: &Array,
    sizes: &[usize],
    g: &Array,
    window: Window,
    out: &mut Array,
) -> Result<(), KernelError> {
    let conv = Backprop::new("conv2d_backprop_filter", x.shape(), sizes, g, window)?;
    let sums = ToFilters(conv);
    on_floats("conv2d_backprop_filter", (x, g), sizes, out, &sums)
}

/// A convolution.
struct Backprop {
    batch: usize,
    rows: Span,
    columns: Span,
    /// Of an image: all groups' depths.
    channels: usize,
    depth: usize,
    filters: usize,
    groups: usize,
}

impl Backprop {
    fn new(
        op: &str,
        images: &[usize],
        filter: &[usize],
        g: &Array,
        window: Window,
    ) -> Result<Backprop, KernelError> {
        let [batch, height, width, channels] = four(op, images)?;
        let [rows, columns, depth, filters] = four(op, filter)?;
        let conv = Backprop {
            batch,
            rows: window.span(0, height, rows)?,
            columns: window.span(1, width, columns)?,
            channels,
            depth,
            filters,
            groups: conv_groups(channels, depth, filters)?,
        };
        let expected = [batch, conv.rows.windows, conv.columns.windows, filters];
        if g.shape() != expected {
            let (g, expected) = (shape_text(g.shape()), shape_text(&expected));
            return Err(KernelError::Shape(format!(
                "`{op}` takes the gradient of a convolution of shape {expected}, not {g}"
            )));
        }
        Ok(conv)
    }

    /// The values of an image.
    fn image(&self) -> usize {
        self.rows.size * self.columns.size * self.channels
    }

    /// The windows of an image.
    fn windows(&self) -> usize {
        self.rows.windows * self.columns.windows
    }

    /// The values that a window covers, of a group.
    fn covered(&self) -> usize {
        self.rows.places * self.columns.places * self.depth
    }

    /// Calls `f` for each place of a window that lies in the image, with the place's number and the pixel's.
    fn for_each_place(&self, [row, column]: [usize; 2], mut f: impl FnMut(usize, usize)) {
        for p in self.rows.inside(row) {
            for q in self.columns.inside(column) {
                let pixel = self.rows.at(row, p) * self.columns.size + self.columns.at(column, q);
                f(p * self.columns.places + q, pixel);
            }
        }
    }
}

/// The sums with respect to images, of several groups.
struct ToImages(Backprop);

impl Binary for ToImages {
    fn run<T: Number>(&self, filter: &[T], g: &[T], out: &mut [T]) {
        let conv = &self.0;
        out.fill(T::ZERO);
        let own = conv.filters / conv.groups;
        let nanoseconds = cost(conv.windows(), conv.covered(), conv.filters) * conv.batch;
        let image = conv.image();
        parallel::for_each_chunk(out, image, nanoseconds, |start, out| {
            let g = &g[start / image.max(1) * conv.windows() * conv.filters..];
            for (window, g) in (0..conv.windows()).zip(g.chunks_exact(conv.filters)) {
                let at = [window / conv.columns.windows, window % conv.columns.windows];
                conv.for_each_place(at, |place, pixel| {
                    let pixel = &mut out[pixel * conv.channels..][..conv.channels];
                    let rows = place * conv.depth..(place + 1) * conv.depth;
                    for (d, row) in rows.enumerate() {
                        let row = &filter[row * conv.filters..][..conv.filters];
                        let groups = g.chunks_exact(own).zip(row.chunks_exact(own));
                        for (to, (g, f)) in pixel[d..].iter_mut().step_by(conv.depth).zip(groups) {
                            *to = g.iter().zip(f).fold(*to, |sum, (g, f)| sum.add(g.mul(*f)));
                        }
                    }
                });
            }
        });
    }
}

/// The sums with respect to filters.
struct ToFilters(Backprop);

impl Binary for ToFilters {
    fn run<T: Number>(&self, x: &[T], g: &[T], out: &mut [T]) {
        let conv = &self.0;
        out.fill(T::ZERO);
        if x.is_empty() || g.is_empty() || out.is_empty() {
            return;
        }
        let images = conv.batch.div_ceil(PARTS);
        let parts = conv.batch.div_ceil(images);
        let nanoseconds = cost(conv.covered(), conv.windows(), conv.filters) * conv.batch;
        scratch::with(parts * out.len(), |sums| {
            sums.fill(T::ZERO);
            parallel::for_each_chunk(sums, out.len(), nanoseconds, |start, sum| {
                let first = start / out.len() * images;
                for image in first..(first + images).min(conv.batch) {
                    let x = &x[image * conv.image()..][..conv.image()];
                    let g = &g[image * conv.windows() * conv.filters..];
                    match conv.groups {
                        1 => conv.add_products(x, g, sum),
                        _ => conv.add_groups(x, g, sum),
                    }
                }
            });
            for sum in sums.chunks_exact(out.len()) {
                add(out, sum);
            }
        });
    }
}

fn add<T: Number>(to: &mut [T], values: &[T]) {
    for (to, value) in to.iter_mut().zip(values) {
        *to = to.add(*value);
    }
}

impl Backprop {
    /// Adds what an image gives: the product of its windows, side by side, with the gradient, some rows of windows at a time.
    fn add_products<T: Number>(&self, x: &[T], g: &[T], sum: &mut [T]) {
        let (covered, line) = (self.covered(), self.columns.windows);
        let at_once = (BAND / (line * covered)).clamp(1, self.rows.windows);
        scratch::with(sum.len(), |product| {
            for first in (0..self.rows.windows).step_by(at_once) {
                let rows = first..(first + at_once).min(self.rows.windows);
                let windows = rows.len() * line;
                let g = &g[first * line * self.filters..][..windows * self.filters];
                scratch::with(windows * covered, |patches| {
                    self.lay_out(x, rows, patches);
                    let patches = Matrix::new(patches, windows, covered).t();
                    plain_product(patches, Matrix::new(g, windows, self.filters), product);
                });
                add(sum, product);
            }
        });
    }

    /// Copies what rows of windows cover, window by window; what lies outside the image is 0.
    fn lay_out<T: Number>(&self, x: &[T], rows: Range<usize>, patches: &mut [T]) {
        patches.fill(T::ZERO);
        let windows = rows.flat_map(|row| (0..self.columns.windows).map(move |c| [row, c]));
        for (at, patch) in windows.zip(patches.chunks_exact_mut(self.covered())) {
            self.for_each_place(at, |place, pixel| {
                let from = &x[pixel * self.channels..][..self.channels];
                patch[place * self.channels..][..self.channels].copy_from_slice(from);
            });
        }
    }

    /// Adds what an image gives, group by group.
    fn add_groups<T: Number>(&self, x: &[T], g: &[T], sum: &mut [T]) {
        let own = self.filters / self.groups;
        for (window, g) in (0..self.windows()).zip(g.chunks_exact(self.filters)) {
            let at = [window / self.columns.windows, window % self.columns.windows];
            self.for_each_place(at, |place, pixel| {
                let pixel = &x[pixel * self.channels..][..self.channels];
                let rows = place * self.depth..(place + 1) * self.depth;
                for (d, row) in rows.enumerate() {
                    let row = &mut sum[row * self.filters..][..self.filters];
                    let groups = row.chunks_exact_mut(own).zip(g.chunks_exact(own));
                    for (x, (row, g)) in pixel[d..].iter().step_by(self.depth).zip(groups) {
                        for (to, g) in row.iter_mut().zip(g) {
                            *to = to.add(x.mul(*g));
                        }
                    }
                }
            });
        }
    }
}
