//! The convolution as a matrix product whose left operand is never stored: its rows are the windows of a [`Band`](super::band::Band) of
//! an image, about [`WINDOWS`] of them at a time.

use std::ops::Range;

use super::Function;
use super::window::Span;
use crate::matmul::{Block, Left, Matrix, Out, Right, cost, depth, pack_panels, padded, widest};
use crate::number::Number;
use crate::{KernelError, parallel, scratch, simd};

/// The number of windows in one item of work, if the image has that many.
const WINDOWS: usize = 256;

/// The most values that a band of a padded image may have.
const BAND: usize = 1 << 26;

/// A convolution whose filters take all channels of an image.
pub(super) struct Conv {
    pub batch: usize,
    pub rows: Span,
    pub columns: Span,
    pub channels: usize,
    pub filters: usize,
}

impl Conv {
    /// The number of rows of windows in one item of work.
    pub fn rows_at_once(&self) -> usize {
        let rows = WINDOWS.div_ceil(self.columns.windows.max(1));
        rows.min(self.rows.windows.max(1))
    }

    /// Fails if padding or dilation makes a band larger than [`BAND`].
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

    /// The number of values that a window covers.
    pub fn covered(&self) -> usize {
        self.rows.places * self.columns.places * self.channels
    }
}

impl Function<2> for Conv {
    fn run<T: Number>(&self, [x, filter]: [&[T]; 2], out: &mut [T]) {
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
        let widest = widest::<T>();
        let filters = padded(self.filters, widest);
        let covered = self.covered();
        let (run, side_by_side) = self.run(widest);
        // The sum of each output value is accumulated in parts of this many products.
        let part = depth(run);
        let parts = || {
            (0..covered).step_by(run).flat_map(|start| {
                (0..run)
                    .step_by(part)
                    .map(move |p| start + p..start + run.min(p + part))
            })
        };
        let rows = self.rows_at_once();
        scratch::with(covered * filters, |packed| {
            for part in parts() {
                let from = Matrix::new(filter, covered, self.filters);
                let to = part.start * filters..part.end * filters;
                pack_panels(from.block(part, 0..self.filters), &mut packed[to], 0);
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
                    for part in parts() {
                        let right = Right {
                            values: &packed[part.start * filters..part.end * filters],
                            packed: Ok(part.len()),
                            widest,
                        };
                        if const { size_of::<T>() <= RUNS_OF } && side_by_side {
                            self.add_part(band.run(part.clone()), part, right, out);
                        } else {
                            self.add_part(band.windows(part.clone()), part, right, out);
                        }
                    }
                });
            });
        });
    }
}

/// A narrow tile has little arithmetic per value, so it profits from reading contiguous values, if there are at least this many in a row.
const RUN: usize = 16;
/// The largest value, in bytes, for which contiguous reads get code of their own: `f64` is rare in convolutions.
const RUNS_OF: usize = 4;
/// A tile is narrow if `FEW` of it are at most as wide as the widest tile.
pub(super) const FEW: usize = 4;

impl Conv {
    /// The number of values of a window that one product takes, and whether they are contiguous.
    fn run(&self, widest: usize) -> (usize, bool) {
        let run = match self.columns.dilation {
            1 => self.columns.places * self.channels,
            _ => self.channels,
        };
        match FEW * self.filters <= widest && run >= RUN {
            true => (run, true),
            false => (self.covered(), false),
        }
    }

    /// Multiplies a part of each window with the filters, and adds the result to that of the previous parts.
    fn add_part<'a, T: Number>(
        &self,
        left: impl Left<'a, T>,
        part: Range<usize>,
        right: Right<'a, T>,
        out: &'a mut [T],
    ) {
        simd::run(Block {
            left,
            height: out.len() / self.filters,
            depth: part.len(),
            right,
            columns: (0, self.filters),
            out: Out {
                values: out,
                stride: self.filters,
                adds: part.start > 0,
                addends: &[],
                first: 0,
            },
        });
    }
}

impl Conv {
    /// Integer convolutions, which are rare: window by window, compiled for one instruction set only.
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
}
