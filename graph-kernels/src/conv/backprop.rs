//! The gradients of a convolution: with respect to its images, which is a transposed convolution, and with respect to its filters, a
//! matrix product of the windows with the incoming gradient. Groups are calculated one by one, or side by side if they are small.

use super::direct::Conv;
use super::grouped::{Grouped, conv_groups};
use super::side_by_side::{SideBySide, ToImages};
use super::transposed::{Transposed, conv2d_transpose};
use super::window::{Span, Window};
use super::{Function, four, on_floats};
use crate::dispatch::shape_text;
use crate::matmul::{Block, Matrix, Out, cost, depth, with_panels};
use crate::number::Number;
use crate::{Array, KernelError, parallel, scratch, simd};

/// The most parts of a batch whose sums are calculated in parallel. It doesn't depend on the number of threads, so the sums don't either.
const PARTS: usize = 8;

/// The gradient with respect to images of `sizes` (`[batch, rows, columns, channels]`). `g` is the gradient with respect to their
/// convolution with `filter` `[rows, columns, depth, filters]`. 16-bit floats are calculated in `f32`.
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
    let op = "conv2d_backprop_input";
    let conv = Backprop::new(op, sizes, filter.shape(), g, window)?;
    if conv.groups == 1 {
        let size = [conv.rows.size, conv.columns.size];
        return conv2d_transpose(g, filter, size, window, out);
    }
    if SideBySide::suits(conv.depth, conv.own_filters()) {
        let to_images = ToImages(conv.side_by_side());
        return on_floats(op, [g, filter], sizes, out, &to_images);
    }
    let (own, depth) = (conv.own_filters(), conv.depth);
    let grouped = Grouped {
        conv: Transposed::new(conv.batch, [conv.rows, conv.columns], own, depth),
        groups: conv.groups,
        widths: [own, own, depth],
    };
    on_floats(op, [g, filter], sizes, out, &grouped)
}

/// The gradient with respect to filters of `sizes` (`[rows, columns, depth, filters]`). `g` is the gradient with respect to their
/// convolution with the images `x`. 16-bit floats are calculated in `f32`.
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
    let op = "conv2d_backprop_filter";
    let conv = Backprop::new(op, x.shape(), sizes, g, window)?;
    conv.conv().check_band()?;
    if conv.groups == 1 || SideBySide::suits(conv.depth, conv.own_filters()) {
        return on_floats(op, [x, g], sizes, out, &ToFilters(conv));
    }
    let (own, depth, groups) = (conv.own_filters(), conv.depth, conv.groups);
    let grouped = Grouped {
        conv: ToFilters(conv.of_one_group()),
        groups,
        widths: [depth, own, own],
    };
    on_floats(op, [x, g], sizes, out, &grouped)
}

/// The sizes of a convolution and its gradients.
struct Backprop {
    batch: usize,
    rows: Span,
    columns: Span,
    /// The channels of an image: the depths of all groups together.
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

    /// The number of filters of a group.
    fn own_filters(&self) -> usize {
        self.filters / self.groups
    }

    /// The same convolution for one group only.
    fn of_one_group(self) -> Backprop {
        Backprop {
            channels: self.depth,
            filters: self.own_filters(),
            groups: 1,
            ..self
        }
    }

    /// The forward convolution of one group.
    fn conv(&self) -> Conv {
        Conv {
            batch: self.batch,
            rows: self.rows,
            columns: self.columns,
            channels: self.depth,
            filters: self.own_filters(),
        }
    }

    fn side_by_side(&self) -> SideBySide {
        SideBySide {
            batch: self.batch,
            rows: self.rows,
            columns: self.columns,
            groups: self.groups,
            depth: self.depth,
            filters: self.filters,
        }
    }

    /// The number of values of an image.
    fn image(&self) -> usize {
        self.rows.size * self.columns.size * self.channels
    }

    /// The number of windows of an image.
    fn windows(&self) -> usize {
        self.rows.windows * self.columns.windows
    }
}

/// Calculates the gradient with respect to the filters.
struct ToFilters(Backprop);

impl Function<2> for ToFilters {
    fn run<T: Number>(&self, [x, g]: [&[T]; 2], out: &mut [T]) {
        let conv = &self.0;
        out.fill(T::ZERO);
        if x.is_empty() || g.is_empty() || out.is_empty() {
            return;
        }
        let images = conv.batch.div_ceil(PARTS);
        let parts = conv.batch.div_ceil(images);
        let nanoseconds = cost(conv.conv().covered(), conv.windows(), conv.filters) * conv.batch;
        scratch::with(parts * out.len(), |sums| {
            sums.fill(T::ZERO);
            parallel::for_each_chunk(sums, out.len(), nanoseconds, |start, sum| {
                let first = start / out.len() * images;
                for image in first..(first + images).min(conv.batch) {
                    let x = &x[image * conv.image()..][..conv.image()];
                    let g = &g[image * conv.windows() * conv.filters..];
                    match conv.groups {
                        1 => conv.add_products(x, g, sum),
                        _ => conv.side_by_side().add_to_filters(x, g, sum),
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
    /// Adds the contribution of one image: the products of its windows with the gradient, some rows of windows at a time.
    fn add_products<T: Number>(&self, x: &[T], g: &[T], sum: &mut [T]) {
        let (conv, line, filters) = (self.conv(), self.columns.windows, self.filters);
        let (covered, at_once) = (conv.covered(), conv.rows_at_once());
        for first in (0..self.rows.windows).step_by(at_once) {
            let rows = at_once.min(self.rows.windows - first);
            let g = &g[first * line * filters..][..rows * line * filters];
            conv.with_band(x, first, rows, |band| {
                let part = depth(rows * line);
                for (n, g) in g.chunks(part * filters).enumerate() {
                    let windows = g.len() / filters;
                    let g = Matrix::new(g, windows, filters);
                    with_panels(g, None, covered, 0, |right| {
                        simd::run(Block {
                            left: band.across(n * part..n * part + windows),
                            height: covered,
                            depth: windows,
                            right,
                            columns: (0, filters),
                            out: Out {
                                values: sum,
                                stride: filters,
                                adds: true,
                                addends: &[],
                                first: 0,
                            },
                        });
                    });
                }
            });
        }
    }
}
