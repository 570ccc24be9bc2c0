//! The convolution as a matrix product whose left operand is never stored: its rows are the windows of a [`Band`](super::band::Band) of
//! an image, about [`WINDOWS`] of them at a time.

use super::Function;
use super::window::Span;
use crate::matmul::{
    Block, Blocks, Finish, Left, Matrix, Out, Packed, Right, cost, widest, with_blocks,
};
use crate::number::Number;
use crate::{KernelError, parallel, simd};

/// The number of windows in one item of work, if the image has that many.
const WINDOWS: usize = 256;

/// The most values that a band of a padded image may have.
const BAND: usize = 1 << 26;

/// A convolution whose filters take all channels of an image.
#[derive(Clone, Copy)]
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
    fn run<T: Number>(&self, operands: [&[T]; 2], out: &mut [T]) {
        self.finished(operands, None, out, &Finish::NOTHING);
    }
}

impl Conv {
    /// The convolution, whose result is finished in blocks of rows of windows. `packed` are the filters, if they are kept.
    pub fn finished<T: Number>(
        &self,
        [x, filter]: [&[T]; 2],
        packed: Option<&Packed>,
        out: &mut [T],
        finish: &Finish,
    ) {
        let image = self.rows.size * self.columns.size * self.channels;
        let row = self.columns.windows * self.filters;
        if out.is_empty() {
            return;
        }
        if image == 0 {
            out.fill(T::ZERO);
            return finish.rows(0, out, self.filters);
        }
        let products = cost(
            self.rows.windows * self.columns.windows,
            filter.len(),
            self.batch,
        );
        if T::IS_INTEGER {
            self.plain(x, filter, products, out);
            return finish.rows(0, out, self.filters);
        }
        let (run, side_by_side) = self.run(widest::<T>());
        let (covered, rows) = (self.covered(), self.rows_at_once());
        let from = Matrix::new(filter, covered, self.filters);
        let blocks = Blocks::new(from, run, usize::MAX);
        let addends = finish.addends(self.filters);
        with_blocks(packed, from, blocks, |filters| {
            let images = x
                .chunks_exact(image)
                .zip(out.chunks_exact_mut(row * self.rows.windows));
            let items = images.enumerate().flat_map(|(i, (image, out))| {
                let blocks = out.chunks_mut(rows * row).enumerate();
                blocks.map(move |(n, out)| (image, i, n * rows, out))
            });
            parallel::for_each(items, products, |(image, i, first, out)| {
                let offset = (i * self.rows.windows + first) * row;
                self.with_band(image, first, out.len() / row, |band| {
                    for part in blocks.parts() {
                        let right = blocks.right(filters, &part, &(0..self.filters));
                        let sums = Out {
                            values: &mut *out,
                            stride: self.filters,
                            adds: part.start > 0,
                            addends: if part.end == covered { &addends } else { &[] },
                            first: offset / self.filters,
                        };
                        if const { size_of::<T>() <= RUNS_OF } && side_by_side {
                            self.add_part(band.run(part.clone()), part.len(), right, sums);
                        } else {
                            self.add_part(band.windows(part.clone()), part.len(), right, sums);
                        }
                    }
                });
                finish.block(offset, out);
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

    /// Multiplies a part of each window with the filters.
    fn add_part<'a, T: Number>(
        &self,
        left: impl Left<'a, T>,
        depth: usize,
        right: Right<'a, T>,
        out: Out<'a, T>,
    ) {
        simd::run(Block {
            left,
            height: out.values.len() / self.filters,
            depth,
            right,
            columns: (0, self.filters),
            out,
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
