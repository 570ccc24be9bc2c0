//! Reductions of arrays: the layout of the values of one result decides how the array is walked.

use super::ReducedShape;
use super::reducer::{Evenly, RESULTS, Reducer};
use super::row::{BLOCK, Pairs};
use crate::block::{Block, BlockMut, BlockRef};
use crate::nest::{Nest, row_major};
use crate::{Array, DType, KernelError, parallel, scratch};

/// The number of values of a single row in one item of work: a power of two of blocks, so that their tree of sums is a subtree of the
/// row's.
const PART: usize = RESULTS * BLOCK;
/// The most columns that are combined at once: their sums stay in the nearest cache.
const COLUMNS: usize = 2048;
/// The number of columns in one item of work for several threads. Longer parts of rows are read faster.
const SHARE: usize = 512;
/// The number of values that are read from memory in a nanosecond.
const PER_NANOSECOND: usize = 8;

/// Values of a shape, and their reduction.
pub(super) struct Walk<'a> {
    pub reducer: &'static Reducer,
    pub values: Block<'a>,
    pub shape: &'a [usize],
    pub reduced: &'a ReducedShape,
}

impl Walk<'_> {
    /// Resizes `out` for results of a dtype, and writes them.
    pub fn write(&self, dtype: DType, out: &mut Array) -> Result<(), KernelError> {
        let Walk {
            values, reduced, ..
        } = self;
        let nanoseconds = values.len() / PER_NANOSECOND;
        let kept = |outer: &[(usize, [isize; 2])]| outer.iter().all(|(_, [_, out])| *out != 0);
        let mut nest = self.nest();
        let rows = nest.strides == [1, 0] && kept(nest.outer());
        if values.len() == 0 {
            let sums = [(self.reducer.identity)(); RESULTS];
            let write = |_, out: BlockMut| self.put(&sums[..out.len()], out);
            return out.try_fill_chunks(dtype, &reduced.shape, RESULTS, 0, write);
        }
        if rows {
            let Some((count, [stride, _])) = nest.take_second() else {
                let sum = single(self.reducer, *values);
                let write = |_, out: BlockMut| self.put(&[sum], out);
                return out.try_fill_chunks(dtype, &reduced.shape, 1, 0, write);
            };
            let results = (PART / nest.inner).max(1);
            let rows = [count, stride as usize];
            let write = |first, out: BlockMut| self.rows(&nest, rows, first, out);
            return out.try_fill_chunks(dtype, &reduced.shape, results, nanoseconds, write);
        }
        if nest.strides == [1, 1]
            && let Some((rows, [stride, 0])) = nest.take_second()
            && kept(nest.outer())
        {
            let rows = [rows, stride as usize];
            let write = |first, out: BlockMut| self.columns(&nest, rows, first, out);
            // Every column is combined by itself, so the number of columns in an item doesn't change the results.
            let columns = match parallel::is_worth_splitting(nanoseconds) {
                true => SHARE,
                false => COLUMNS,
            };
            return out.try_fill_chunks(dtype, &reduced.shape, columns, nanoseconds, write);
        }
        out.reset(dtype, &reduced.shape)?;
        self.scattered(out);
        Ok(())
    }

    /// The loop nest over the axes, with the strides of the values and of the results.
    fn nest(&self) -> Nest<2> {
        Nest::new(self.shape, [&row_major(self.shape), &self.reduced.strides])
    }

    /// Writes the results for sums.
    fn put(&self, sums: &[u64], out: BlockMut) {
        (self.reducer.finish)(sums, self.reduced.count, out);
    }

    /// The values from `start` on.
    fn from(&self, start: usize) -> Block<'_> {
        self.values.range(start, self.values.len() - start)
    }

    /// For results that are each the reduction of a row; `rows` is the number of rows and their stride. Writes the results from `first`
    /// on.
    fn rows(&self, nest: &Nest<2>, rows: [usize; 2], first: usize, mut out: BlockMut) {
        let [count, stride] = rows;
        let mut sums = [0; RESULTS];
        let (mut row, mut done) = (first % count, 0);
        for [start, _] in nest.offsets_from([0, 0], first / count) {
            while row < count && done < out.len() {
                let results = RESULTS.min(count - row).min(out.len() - done);
                let sums = &mut sums[..results];
                let start = start + row * stride;
                row_sums(
                    self.reducer,
                    &BlockRef::whole(&self.values),
                    &Evenly {
                        start,
                        stride,
                        len: nest.inner,
                    },
                    sums,
                );
                self.put(sums, out.range(done, results));
                row += results;
                done += results;
            }
            row = 0;
            if done == out.len() {
                break;
            }
        }
    }

    /// For results that are each the reduction of a column over a few rows. Writes the results from `first` on.
    fn columns(&self, nest: &Nest<2>, rows: [usize; 2], first: usize, out: BlockMut) {
        scratch::with(out.len(), |sums: &mut [u64]| {
            sums.fill((self.reducer.identity)());
            let (mut column, mut done) = (first % nest.inner, 0);
            for [start, _] in nest.offsets_from([0, 0], first / nest.inner) {
                let len = (nest.inner - column).min(sums.len() - done);
                let of_row = &mut sums[done..done + len];
                (self.reducer.columns)(self.from(start + column), rows, of_row);
                done += len;
                column = 0;
                if done == sums.len() {
                    break;
                }
            }
            self.put(sums, out);
        });
    }

    /// For results whose values aren't contiguous.
    fn scattered(&self, out: &mut Array) {
        scratch::with(out.len(), |sums: &mut [u64]| {
            sums.fill((self.reducer.identity)());
            let nest = self.nest();
            if nest.strides[1] == 0 {
                self.scattered_rows(nest, sums);
            } else {
                self.scattered_columns(nest, sums);
            }
            if let Some(out) = BlockMut::of(out.buffer_mut(), sums.len()) {
                self.put(sums, out);
            }
        });
    }

    fn scattered_rows(&self, mut nest: Nest<2>, sums: &mut [u64]) {
        // Here kept and reduced axes alternate.
        let (rows, strides) = nest.take_second().unwrap_or((1, [0, 0]));
        let [stride, results_stride] = strides.map(|stride| stride as usize);
        let mut of_rows = [0; RESULTS];
        for [start, result] in nest.offsets([0, 0]) {
            for row in (0..rows).step_by(RESULTS) {
                let of_rows = &mut of_rows[..RESULTS.min(rows - row)];
                let start = start + row * stride;
                row_sums(
                    self.reducer,
                    &BlockRef::whole(&self.values),
                    &Evenly {
                        start,
                        stride,
                        len: nest.inner,
                    },
                    of_rows,
                );
                for (n, of_row) in of_rows.iter().enumerate() {
                    let sum = &mut sums[result + (row + n) * results_stride];
                    *sum = (self.reducer.combine)(*sum, *of_row);
                }
            }
        }
    }

    fn scattered_columns(&self, mut nest: Nest<2>, sums: &mut [u64]) {
        let (rows, [stride, _]) = nest.take_second().unwrap_or((1, [0, 0]));
        for [start, result] in nest.offsets([0, 0]) {
            let sums = &mut sums[result..result + nest.inner];
            for (n, sums) in sums.chunks_mut(COLUMNS).enumerate() {
                let values = self.from(start + n * COLUMNS);
                (self.reducer.columns)(values, [rows, stride as usize], sums);
            }
        }
    }
}

/// Writes the results of contiguous rows of `len` values.
pub(crate) fn reduce_rows(reducer: &Reducer, values: &BlockRef, len: usize, out: &mut BlockMut) {
    write_sums(reducer, len, out, |first, sums| {
        let (start, stride) = (first * len, len);
        row_sums(reducer, values, &Evenly { start, stride, len }, sums);
    });
}

/// Writes the results of reductions of `len` values each. `sums` calculates some of their sums, from an index on.
#[inline(always)]
pub(crate) fn write_sums(
    reducer: &Reducer,
    len: usize,
    out: &mut BlockMut,
    sums: impl Fn(usize, &mut [u64]),
) {
    let mut some = [0; RESULTS];
    for first in (0..out.len()).step_by(RESULTS) {
        let some = &mut some[..RESULTS.min(out.len() - first)];
        sums(first, some);
        (reducer.finish)(some, len, out.range(first, some.len()));
    }
}

/// The sums of some rows.
fn row_sums(reducer: &Reducer, values: &BlockRef, rows: &Evenly, sums: &mut [u64]) {
    let Evenly { start, stride, len } = *rows;
    if len <= BLOCK {
        return (reducer.rows)(values, rows, sums);
    }
    let values = values.block();
    for (n, sum) in sums.iter_mut().enumerate() {
        *sum = long_row(reducer, values.range(start + n * stride, len));
    }
}

/// The sum of all values, which form one row.
pub(super) fn single(reducer: &Reducer, values: Block) -> u64 {
    if values.len() <= PART {
        return long_row(reducer, values);
    }
    scratch::with(values.len().div_ceil(PART), |sums: &mut [u64]| {
        let nanoseconds = values.len() / PER_NANOSECOND;
        parallel::for_each_chunk(sums, 1, nanoseconds, |part, sum| {
            let start = part * PART;
            let part = values.range(start, PART.min(values.len() - start));
            sum[0] = long_row(reducer, part);
        });
        tree(reducer, sums)
    })
}

/// The sum of a row, block by block.
fn long_row(reducer: &Reducer, row: Block) -> u64 {
    let mut sum = [0];
    if row.len() <= BLOCK {
        let (start, stride, len) = (0, 0, row.len());
        (reducer.rows)(
            &BlockRef::whole(&row),
            &Evenly { start, stride, len },
            &mut sum,
        );
        return sum[0];
    }
    let mut pairs = Pairs::new((reducer.identity)());
    let parts = row.len() / PART * PART;
    for start in (0..parts).step_by(PART) {
        let sums = blocks_of_part(reducer, row, start);
        sums.iter()
            .for_each(|sum| pairs.push(*sum, reducer.combine));
    }
    for start in (parts..row.len()).step_by(BLOCK) {
        let (stride, len) = (0, BLOCK.min(row.len() - start));
        (reducer.rows)(
            &BlockRef::whole(&row),
            &Evenly { start, stride, len },
            &mut sum,
        );
        pairs.push(sum[0], reducer.combine);
    }
    pairs.finish(reducer.combine)
}

/// The sums of the blocks of a part that starts at `start`.
fn blocks_of_part(reducer: &Reducer, row: Block, start: usize) -> [u64; RESULTS] {
    let (stride, len) = (BLOCK, BLOCK);
    let mut sums = [0; RESULTS];
    (reducer.rows)(
        &BlockRef::whole(&row),
        &Evenly { start, stride, len },
        &mut sums,
    );
    sums
}

/// Combines the sums of parts, in the order of a single row.
pub(crate) fn tree(reducer: &Reducer, sums: &[u64]) -> u64 {
    let mut pairs = Pairs::new((reducer.identity)());
    sums.iter()
        .for_each(|sum| pairs.push(*sum, reducer.combine));
    pairs.finish(reducer.combine)
}
