//! Convolutions in groups of few filters, and their gradients. All filters are calculated at once, one vector lane per filter, so the
//! image needs one value per filter: channels that several filters share are repeated first, unless each channel has only one filter.

use std::ops::Range;

use super::Function;
use super::inside::{EachWindow, Inside, Windows};
use super::window::Span;
use crate::matmul::{Finish, add_products};
use crate::number::Number;
use crate::simd::Level;
use crate::simd::MulAdd;
use crate::{parallel, scratch, simd};

/// The number of multiplications that a thread does in a nanosecond.
const PER_NANOSECOND: usize = 16;
/// The largest number of rows of windows in one item of work.
const ROWS: usize = 8;

/// A convolution of `groups * depth` channels. Each pixel has `depth` rows, and a row has one value per filter: that of a channel of its
/// group.
#[derive(Clone, Copy)]
pub(super) struct SideBySide {
    pub batch: usize,
    pub rows: Span,
    pub columns: Span,
    pub groups: usize,
    pub depth: usize,
    /// The number of filters of all groups.
    pub filters: usize,
}

/// The size of a run of adjacent places of a window: in columns, and in rows of values.
struct Runs {
    columns: usize,
    rows: usize,
}

/// Groups with fewer filters than this are faster side by side than one by one.
const FEW: usize = 8;

impl SideBySide {
    /// Whether groups of this depth with this many filters each are faster side by side than one by one.
    pub fn suits(depth: usize, own_filters: usize) -> bool {
        depth == 1 || own_filters < FEW
    }

    /// The number of filters of a group.
    fn own(&self) -> usize {
        self.filters / self.groups
    }

    /// Whether an image already has one value per filter, so that nothing is repeated.
    fn is_plain(&self) -> bool {
        self.depth == 1 && self.own() == 1
    }

    /// The number of values of a pixel after repetition, and of a place of the filters.
    #[inline(always)]
    fn width(&self) -> usize {
        self.depth * self.filters
    }

    /// The runs of places whose pixels are contiguous, too.
    #[inline(always)]
    fn runs(&self, window: &Inside) -> Runs {
        let columns = match window.right {
            1 => window.columns.max(1),
            _ => 1,
        };
        Runs {
            columns,
            rows: columns * self.depth,
        }
    }

    /// The number of values of a row of an image.
    fn line(&self) -> usize {
        self.columns.size * self.groups * self.depth
    }

    fn image(&self) -> usize {
        self.rows.size * self.line()
    }

    /// The number of values of a row of windows.
    fn row(&self) -> usize {
        self.columns.windows * self.filters
    }

    fn nanoseconds(&self) -> usize {
        let places = self.rows.places * self.columns.places * self.depth;
        let windows = self.batch * self.rows.windows;
        (windows * self.row()).saturating_mul(places) / PER_NANOSECOND
    }

    /// The channel that a group's filters take in a row of a pixel.
    fn channel(&self, row: usize, group: usize) -> usize {
        group * self.depth + row
    }

    /// Calls `f` with the pixels' values repeated to one per filter.
    fn with_repeated<T: Number, R>(&self, pixels: &[T], f: impl FnOnce(&[T]) -> R) -> R {
        if self.is_plain() {
            return f(pixels);
        }
        let own = self.own();
        scratch::with(pixels.len() * own, |repeated| {
            let from = pixels.chunks_exact(self.groups * self.depth);
            let to = repeated.chunks_exact_mut(self.depth * self.filters);
            for (from, to) in from.zip(to) {
                for (row, to) in to.chunks_exact_mut(self.filters).enumerate() {
                    for (group, to) in to.chunks_exact_mut(own).enumerate() {
                        to.fill(from[self.channel(row, group)]);
                    }
                }
            }
            f(repeated)
        })
    }

    /// Calls `f` with a buffer for sums of one value per filter, then adds up the sums of filters that share a channel.
    fn with_shared_sums<T: Number>(&self, pixels: &mut [T], f: impl FnOnce(&mut [T])) {
        pixels.fill(T::ZERO);
        if self.is_plain() {
            return f(pixels);
        }
        let own = self.own();
        scratch::with(pixels.len() * own, |sums| {
            sums.fill(T::ZERO);
            f(sums);
            let to = pixels.chunks_exact_mut(self.groups * self.depth);
            let from = sums.chunks_exact(self.depth * self.filters);
            for (to, from) in to.zip(from) {
                for (row, from) in from.chunks_exact(self.filters).enumerate() {
                    for (group, from) in from.chunks_exact(own).enumerate() {
                        let sum = from.iter().fold(T::ZERO, |sum, v| sum.add(*v));
                        to[self.channel(row, group)] = sum;
                    }
                }
            }
        });
    }

    /// The rows of an image that some rows of windows cover.
    fn covered(&self, windows: Range<usize>) -> Range<usize> {
        let inside = |row: usize| row.saturating_sub(self.rows.before).min(self.rows.size);
        let first = windows.start * self.rows.stride;
        inside(first)..inside(first + self.rows.covered(windows.len()))
    }

    /// Does `each` for all windows of some rows.
    fn windows<F: EachWindow>(&self, rows: Range<usize>, each: F) -> Windows<F> {
        Windows {
            spans: [self.rows, self.columns],
            rows,
            channels: self.filters,
            each,
        }
    }

    /// Adds the contribution of one image to the gradient with respect to the filters.
    pub fn add_to_filters<T: Number>(&self, x: &[T], g: &[T], sums: &mut [T]) {
        self.with_repeated(x, |values| {
            simd::run(self.windows(
                0..self.rows.windows,
                Sums::<_, false> {
                    conv: self,
                    factors: values,
                    g,
                    sums,
                },
            ));
        });
    }
}

impl Function<2> for SideBySide {
    fn run<T: Number>(&self, operands: [&[T]; 2], out: &mut [T]) {
        self.finished(operands, out, &Finish::NOTHING);
    }
}

impl SideBySide {
    /// The convolution, whose result is finished in blocks of rows of windows.
    pub fn finished<T: Number>(&self, [x, filter]: [&[T]; 2], out: &mut [T], finish: &Finish) {
        if out.is_empty() {
            return;
        }
        if x.is_empty() {
            out.fill(T::ZERO);
            return finish.rows(0, out, self.filters);
        }
        let images = x.chunks_exact(self.image());
        let images = images.zip(out.chunks_exact_mut(self.rows.windows * self.row()));
        let items = images.enumerate().flat_map(|(i, (image, out))| {
            let parts = out.chunks_mut(ROWS * self.row()).enumerate();
            parts.map(move |(n, out)| (image, i, n * ROWS, out))
        });
        parallel::for_each(items, self.nanoseconds(), |(image, i, first, out)| {
            let rows = first..first + out.len() / self.row();
            let covered = self.covered(rows.clone());
            let pixels = &image[covered.start * self.line()..covered.end * self.line()];
            self.with_repeated(pixels, |values| {
                simd::run(self.windows(
                    rows,
                    ToWindows {
                        conv: self,
                        first: covered.start * self.columns.size,
                        values,
                        filter,
                        out: &mut *out,
                    },
                ));
            });
            finish.rows(
                (i * self.rows.windows + first) * self.row(),
                out,
                self.filters,
            );
        });
    }
}

/// Writes the outputs of the convolution, one per window and filter.
struct ToWindows<'a, T> {
    conv: &'a SideBySide,
    /// The pixel at which the values begin.
    first: usize,
    values: &'a [T],
    filter: &'a [T],
    out: &'a mut [T],
}

impl<T: Number> EachWindow for ToWindows<'_, T> {
    const UP_TO: Level = T::RARELY_UP_TO;
    const BY_FOUR: bool = true;

    #[inline(always)]
    fn block<M: MulAdd, const W: usize>(&mut self, window: &Inside, filter: usize) {
        let width = self.conv.width();
        let mut sums = [T::ZERO; W];
        let runs = self.conv.runs(window);
        for p in 0..window.rows {
            let mut q = 0;
            while q < window.columns {
                let pixel = window.pixel(p, q) - self.first;
                let mut values = &self.values[pixel * width + filter..];
                let mut factors = &self.filter[window.place(p, q) * width + filter..];
                for _ in 0..runs.rows {
                    let (Some(a), Some(b)) = (values.first_chunk(), factors.first_chunk()) else {
                        return;
                    };
                    sums = add_products::<T, M, W>(&sums, a, b);
                    values = values.get(self.conv.filters..).unwrap_or_default();
                    factors = factors.get(self.conv.filters..).unwrap_or_default();
                }
                q += runs.columns;
            }
        }
        let at = window.window * self.conv.filters + filter;
        self.out[at..][..W].copy_from_slice(&sums);
    }
}

/// Calculates the gradient with respect to the images.
pub(super) struct ToImages(pub SideBySide);

impl Function<2> for ToImages {
    fn run<T: Number>(&self, [g, filter]: [&[T]; 2], out: &mut [T]) {
        let conv = &self.0;
        if g.is_empty() || filter.is_empty() {
            return out.fill(T::ZERO);
        }
        let windows = conv.rows.windows * conv.row();
        parallel::for_each_chunk(out, conv.image(), conv.nanoseconds(), |start, out| {
            let g = &g[start / conv.image().max(1) * windows..];
            conv.with_shared_sums(out, |sums| {
                simd::run(conv.windows(
                    0..conv.rows.windows,
                    Sums::<_, true> {
                        conv,
                        factors: filter,
                        g,
                        sums,
                    },
                ));
            });
        });
    }
}

/// Sums over windows: with `AT_PIXELS` at each pixel, of products with the filters; else at each place of the filters, of products with
/// the image.
struct Sums<'a, T, const AT_PIXELS: bool> {
    conv: &'a SideBySide,
    factors: &'a [T],
    g: &'a [T],
    sums: &'a mut [T],
}

impl<T: Number, const AT_PIXELS: bool> EachWindow for Sums<'_, T, AT_PIXELS> {
    const UP_TO: Level = T::RARELY_UP_TO;
    const BY_FOUR: bool = true;

    #[inline(always)]
    fn block<M: MulAdd, const W: usize>(&mut self, window: &Inside, filter: usize) {
        let (width, filters) = (self.conv.width(), self.conv.filters);
        let Some(g) = self.g[window.window * filters + filter..].first_chunk::<W>() else {
            return;
        };
        let runs = self.conv.runs(window);
        for p in 0..window.rows {
            let mut q = 0;
            while q < window.columns {
                let (pixel, place) = (window.pixel(p, q), window.place(p, q));
                let (to, from) = match AT_PIXELS {
                    true => (pixel, place),
                    false => (place, pixel),
                };
                let mut factors = &self.factors[from * width + filter..];
                let mut sums = &mut self.sums[to * width + filter..];
                for _ in 0..runs.rows {
                    let (Some(a), Some(sum)) = (factors.first_chunk(), sums.first_chunk_mut())
                    else {
                        return;
                    };
                    *sum = add_products::<T, M, W>(sum, a, g);
                    factors = factors.get(filters..).unwrap_or_default();
                    sums = sums.get_mut(filters..).unwrap_or_default();
                }
                q += runs.columns;
            }
        }
    }
}
