//! The band of an image that some rows of windows cover, and the position of each window's values in it. All windows are alike, so a
//! position is the start of the window plus an offset within it. No matrix of windows is made; only values that padding touches are
//! copied.

use std::ops::Range;

use super::direct::{Conv, FEW};
use crate::matmul::{Left, ROWS, zipped};
use crate::number::Number;
use crate::scratch;

/// The part of an image that some rows of windows cover.
#[derive(Clone, Copy)]
pub(super) struct Band<'a, T> {
    values: &'a [T],
    /// The position where each window begins, ascending.
    windows: &'a [usize],
    /// The offset of each value from the beginning of its window, ascending.
    within: &'a [usize],
}

impl<'a, T> Band<'a, T> {
    /// The matrix with one row per window, and a column for each value in `part`.
    pub fn windows(self, part: Range<usize>) -> Gathered<'a, T, true> {
        Gathered {
            values: self.values,
            rows: self.windows,
            columns: &self.within[part],
        }
    }

    /// The same matrix for values that are contiguous in the image.
    pub fn run(self, part: Range<usize>) -> Runs<'a, T> {
        Runs {
            values: &self.values[self.within[part.start]..],
            starts: self.windows,
        }
    }

    /// The transposed matrix: each column is one of some windows.
    pub fn across(self, windows: Range<usize>) -> Gathered<'a, T, false> {
        Gathered {
            values: self.values,
            rows: self.within,
            columns: &self.windows[windows],
        }
    }
}

/// A matrix whose value (i, j) is at the start of row i plus the offset of column j. `PACKED`: see [`Left::PACKED`].
#[derive(Clone, Copy)]
pub(super) struct Gathered<'a, T, const PACKED: bool> {
    values: &'a [T],
    rows: &'a [usize],
    columns: &'a [usize],
}

impl<'a, T: Copy, const PACKED: bool> Left<'a, T> for Gathered<'a, T, PACKED> {
    const PACKED: bool = PACKED;

    #[inline(always)]
    fn factors(self, i: usize, last: usize, depth: usize) -> impl Iterator<Item = [T; ROWS]> {
        let columns = &self.columns[..depth];
        let reach = ..=columns.last().map_or(0, |last| *last);
        // All slices have this length, so one comparison per column is enough, and only this line can panic: a panic in the loop, or more
        // of them here, would force the sums out of their registers.
        let first = &self.values[reach];
        let rows: [&[T]; ROWS] = std::array::from_fn(|n| {
            let start = self.rows.get((i + n).min(last)).map_or(0, |start| *start);
            let row = self.values.get(start..).and_then(|row| row.get(reach));
            row.unwrap_or(first)
        });
        let value = move |row: &[T], at: usize| row.get(at).copied().unwrap_or(row[0]);
        columns
            .iter()
            .map(move |at| rows.map(|row| value(row, *at)))
    }
}

/// A matrix whose rows are contiguous but may start anywhere.
#[derive(Clone, Copy)]
pub(super) struct Runs<'a, T> {
    values: &'a [T],
    starts: &'a [usize],
}

impl<'a, T: Copy> Left<'a, T> for Runs<'a, T> {
    const NARROWER: usize = FEW;
    const PACKED: bool = true;

    #[inline(always)]
    fn factors(self, i: usize, last: usize, depth: usize) -> impl Iterator<Item = [T; ROWS]> {
        zipped(i, last, move |i| {
            let start = self.starts[i];
            &self.values[start..start + depth]
        })
    }
}

impl Conv {
    /// Calls `f` with the band that `count` rows of windows from `first` on cover.
    pub fn with_band<T: Number>(
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
            let values = &image[(top - rows.before) * line..];
            return self.with_places(values, line, count, f);
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
            self.with_places(band, line, count, f);
        });
    }

    /// Calls `f` with the band of `count` rows of windows; `line` is the number of values in a row of the image.
    fn with_places<T>(&self, values: &[T], line: usize, count: usize, f: impl FnOnce(Band<T>)) {
        let (rows, columns, channels) = (self.rows, self.columns, self.channels);
        scratch::with(count * columns.windows, |windows| {
            let down = steps(count, rows.stride * line);
            fill_sums(windows, down, columns.windows, columns.stride * channels);
            scratch::with(self.covered(), |within| {
                let right = columns.dilation * channels;
                let places = steps(rows.places, rows.dilation * line)
                    .flat_map(|row| steps(columns.places, right).map(move |at| row + at));
                fill_sums(within, places, channels, 1);
                f(Band {
                    values,
                    windows,
                    within,
                });
            });
        });
    }
}

/// The first `count` multiples of `step`.
fn steps(count: usize, step: usize) -> impl Iterator<Item = usize> {
    (0..count).map(move |n| n * step)
}

/// Writes the sum of each start with each of the first `count` multiples of `step`.
fn fill_sums(out: &mut [usize], starts: impl Iterator<Item = usize>, count: usize, step: usize) {
    for (out, start) in out.chunks_exact_mut(count).zip(starts) {
        for (out, at) in out.iter_mut().zip(steps(count, step)) {
            *out = start + at;
        }
    }
}
