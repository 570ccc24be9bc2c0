//! The convolution: a matrix product whose left operand is never made. Its rows are the windows, and the places of a window in one row
//! of an image lie one behind the other already. So for each row of the filter the product of overlapping slices of the image
//! with that row is added to the result. Only what padding touches is copied, a band of rows at a time.

use smallvec::SmallVec;

use super::Binary;
use super::window::Span;
use crate::matmul::{
    Block, Left, Matrix, Out, ROWS, Right, cost, depth, pack_panels, padded, widest, zipped,
};
use crate::number::Number;
use crate::{KernelError, parallel, scratch, simd};

/// How many windows are one item of work, at least if an image has as many.
const WINDOWS: usize = 256;

/// The most values that a band of a padded image may have.
const BAND: usize = 1 << 26;

/// A convolution of images with filters that take all of their channels.
pub(super) struct Conv {
    pub batch: usize,
    pub rows: Span,
    pub columns: Span,
    pub channels: usize,
    pub filters: usize,
}

/// Neighbouring rows of the filter matrix that meet neighbouring values of the image.
#[derive(Clone, Copy)]
struct Term {
    /// The place in the window: row, column.
    place: [usize; 2],
    /// The first value behind that place.
    start: usize,
    depth: usize,
    /// The first row of the filter matrix.
    filter_row: usize,
}

impl Conv {
    /// How many rows of windows are one item of work.
    fn rows_at_once(&self) -> usize {
        let rows = WINDOWS.div_ceil(self.columns.windows.max(1));
        rows.min(self.rows.windows.max(1))
    }

    /// Fails if paddings or dilations ask for more memory than images do.
    pub fn check_band(&self) -> Result<(), KernelError> {
        let height = self.rows.covered(self.rows_at_once());
        let width = self.columns.covered(self.columns.windows.max(1));
        let values = height
            .checked_mul(width)
            .and_then(|n| n.checked_mul(self.channels));
        match values {
            Some(..=BAND) => Ok(()),
            _ => Err(KernelError::Value(format!(
                "`conv2d` of {height} padded rows of {width} at a time is too large"
            ))),
        }
    }

    /// The terms whose sum is the result.
    fn terms(&self) -> SmallVec<[Term; 16]> {
        // Places side by side are one run of values.
        let (runs, run) = match self.columns.dilation {
            1 => (1, self.columns.places * self.channels),
            _ => (self.columns.places, self.channels),
        };
        let mut terms = SmallVec::new();
        for (row, column) in (0..self.rows.places).flat_map(|row| (0..runs).map(move |c| (row, c)))
        {
            // Parts of about equal depth.
            let part = depth(run);
            for start in (0..run).step_by(part) {
                terms.push(Term {
                    place: [row, column],
                    start,
                    depth: part.min(run - start),
                    filter_row: (row * runs + column) * run + start,
                });
            }
        }
        terms
    }
}

impl Binary for Conv {
    fn run<T: Number>(&self, x: &[T], filter: &[T], out: &mut [T]) {
        let image = self.rows.size * self.columns.size * self.channels;
        let row = self.columns.windows * self.filters;
        if out.is_empty() || image == 0 {
            return out.fill(T::ZERO);
        }
        let products = cost(
            self.rows.windows * self.columns.windows,
            filter.len(),
            self.batch,
        );
        if T::IS_INTEGER {
            return self.plain(x, filter, products, out);
        }
        let terms = self.terms();
        let widest = widest::<T>();
        let filters = padded(self.filters, widest);
        let depth = self.rows.places * self.columns.places * self.channels;
        let rows = self.rows_at_once();
        scratch::with(depth * filters, |packed| {
            for term in &terms {
                let from = Matrix::new(filter, depth, self.filters);
                let from = from.block(
                    term.filter_row..term.filter_row + term.depth,
                    0..self.filters,
                );
                let to = term.filter_row * filters..(term.filter_row + term.depth) * filters;
                pack_panels(from, &mut packed[to], 0);
            }
            let packed = &*packed;
            let images = x
                .chunks_exact(image)
                .zip(out.chunks_exact_mut(row * self.rows.windows));
            let items = images.flat_map(|(image, out)| {
                let blocks = out.chunks_mut(rows * row).enumerate();
                blocks.map(move |(n, out)| (image, n * rows, out))
            });
            parallel::for_each(items, products, |(image, first, out)| {
                self.with_band(image, first, out.len() / row, |band| {
                    for (n, term) in terms.iter().enumerate() {
                        let values = &packed
                            [term.filter_row * filters..(term.filter_row + term.depth) * filters];
                        simd::run(Block {
                            left: band.windows(self, *term),
                            height: out.len() / self.filters,
                            depth: term.depth,
                            right: Right {
                                values,
                                packed: Ok(term.depth),
                                widest,
                            },
                            columns: (0, self.filters),
                            out: Out {
                                values: out,
                                stride: self.filters,
                                adds: n > 0,
                                addends: &[],
                                first: 0,
                            },
                        });
                    }
                });
            });
        });
    }
}

impl Conv {
    /// Of integers, which are rare, window by window; compiled for one instruction set only.
    fn plain<T: Number>(&self, x: &[T], filter: &[T], nanoseconds: usize, out: &mut [T]) {
        let Conv {
            rows,
            columns,
            channels,
            filters,
            ..
        } = *self;
        let image = rows.size * columns.size * channels;
        let row = columns.windows * filters;
        out.fill(T::ZERO);
        parallel::for_each_chunk(out, row, nanoseconds, |start, out| {
            let line = start / row;
            let image = &x[line / rows.windows * image..][..image];
            let window = line % rows.windows;
            for (column, out) in out.chunks_exact_mut(filters).enumerate() {
                for p in rows.inside(window) {
                    for q in columns.inside(column) {
                        let at = rows.at(window, p) * columns.size + columns.at(column, q);
                        let values = &image[at * channels..][..channels];
                        let first = (p * columns.places + q) * channels;
                        let filter = filter[first * filters..].chunks_exact(filters);
                        for (v, filter) in values.iter().zip(filter) {
                            for (o, f) in out.iter_mut().zip(filter) {
                                *o = o.add(v.mul(*f));
                            }
                        }
                    }
                }
            }
        });
    }

    /// Calls `f` with the part of an image that `count` rows of windows from `first` on cover.
    fn with_band<T: Number>(
        &self,
        image: &[T],
        first: usize,
        count: usize,
        f: impl FnOnce(Band<T>),
    ) {
        let (rows, columns, channels) = (self.rows, self.columns, self.channels);
        let (height, width) = (rows.covered(count), columns.covered(columns.windows));
        let top = first * rows.stride;
        let inside = top >= rows.before && top - rows.before + height <= rows.size;
        if inside && columns.before == 0 && width <= columns.size {
            let line = columns.size * channels;
            return f(Band {
                values: &image[(top - rows.before) * line..],
                line,
            });
        }
        let line = width * channels;
        scratch::with(height * line, |band| {
            band.fill(T::ZERO);
            let copied = columns.size.min(width.saturating_sub(columns.before)) * channels;
            for (i, band) in band.chunks_exact_mut(line).enumerate() {
                let Some(row) = (top + i)
                    .checked_sub(rows.before)
                    .filter(|row| *row < rows.size)
                else {
                    continue;
                };
                let from = &image[row * columns.size * channels..][..copied];
                band[columns.before * channels..][..copied].copy_from_slice(from);
            }
            f(Band { values: band, line });
        });
    }
}

/// Rows of a padded image.
#[derive(Clone, Copy)]
struct Band<'a, T> {
    values: &'a [T],
    /// Values from a row to the next.
    line: usize,
}

impl<'a, T> Band<'a, T> {
    /// What a term of the sum takes from the windows.
    fn windows(self, conv: &Conv, term: Term) -> Windows<'a, T> {
        let down = term.place[0] * conv.rows.dilation * self.line;
        let right = term.place[1] * conv.columns.dilation * conv.channels;
        Windows {
            values: &self.values[down + right + term.start..],
            per_row: conv.columns.windows,
            down: conv.rows.stride * self.line,
            right: conv.columns.stride * conv.channels,
        }
    }
}

/// The windows of some rows, as rows of a matrix.
#[derive(Clone, Copy)]
struct Windows<'a, T> {
    values: &'a [T],
    per_row: usize,
    /// Values from a window to the one below.
    down: usize,
    /// Values from a window to the one to the right.
    right: usize,
}

impl<'a, T: Copy> Left<'a, T> for Windows<'a, T> {
    #[inline(always)]
    fn factors(self, i: usize, last: usize, depth: usize) -> impl Iterator<Item = [T; ROWS]> {
        zipped(i, last, move |i| {
            let at = i / self.per_row * self.down + i % self.per_row * self.right;
            &self.values[at..at + depth]
        })
    }
}
