//! Programs that end in a reduction over the last axes: the values of a row are combined block by block as they are calculated, in the
//! same order as in [`reduce`](crate::reduce()).

use super::Reduction;
use super::blocks::Run;
use super::failure::Failure;
use super::run::Chain;
use super::workspace::{Cells, Workspace};
use crate::block::{Block, BlockMut, BlockRef};
use crate::element::{BlockFunction, ElementError, ElementOp};
use crate::reduce::row::{BLOCK, Pairs};
use crate::reduce::{Evenly, RESULTS, ReducedShape, Reducer, reduce_rows, tree};
use crate::{Array, Axes, DType, KernelError, parallel, reduce, scratch};

/// The number of values of one row in one item of work: a power of two of blocks, so that their tree of sums is a subtree of the row's.
const PART: usize = 64 * BLOCK;

/// Runs a chain whose values have the given shape, and reduces the values.
pub(super) fn run(
    chain: &Chain,
    reduction: &Reduction,
    shape: &[usize],
    out: &mut Array,
) -> Result<(), KernelError> {
    let axes = Axes {
        axes: &reduction.axes,
        keep_dims: reduction.keep_dims,
    };
    let reduced = ReducedShape::new(shape, axes)?;
    if !reduced.is_trailing(shape) {
        let mut values = Array::default();
        chain.write(shape, &mut values)?;
        return reduce(reduction.op, &values, axes, out);
    }
    let dtype = chain.program.output;
    let reducer = reduction.op.reducer(dtype)?;
    let rows = RowReduction {
        chain,
        reducer,
        convert: conversion(dtype, reducer.takes)?,
        len: reduced.count,
    };
    rows.write(&reduced.shape, out)
}

/// The function that converts values from one dtype to another.
pub(super) fn conversion(from: DType, to: DType) -> Result<Option<BlockFunction>, KernelError> {
    match ElementOp::conversion(to) {
        Some(op) if from != to => Ok(Some(op.entry(&[from])?.block)),
        _ => Ok(None),
    }
}

/// Rows of `len` values, each of which is reduced to one value.
struct RowReduction<'a> {
    chain: &'a Chain<'a>,
    reducer: &'static Reducer,
    /// Converts the chain's values to the dtype that the reducer takes.
    convert: Option<BlockFunction>,
    len: usize,
}

impl RowReduction<'_> {
    fn write(&self, shape: &[usize], out: &mut Array) -> Result<(), KernelError> {
        let dtype = self.chain.program.output;
        if self.len == 0 {
            let sums = [(self.reducer.identity)(); RESULTS];
            let write = |_, out: BlockMut| self.put(&sums[..out.len()], out);
            return out.try_fill_chunks(dtype, shape, RESULTS, 0, write);
        }
        let failure = Failure::default();
        if self.len <= PART {
            let rows: usize = shape.iter().product();
            let nanoseconds = self.chain.nanoseconds(rows.saturating_mul(self.len));
            out.try_fill_chunks(dtype, shape, PART / self.len, nanoseconds, |first, out| {
                failure.note(first * self.len, self.whole_rows(first, out));
            })?;
        } else {
            out.try_fill_chunks(dtype, shape, 1, 0, |row, out| {
                self.put(&[self.row_in_parts(row * self.len, &failure)], out);
            })?;
        }
        failure.result()
    }

    /// Writes the results for sums.
    fn put(&self, sums: &[u64], out: BlockMut) {
        (self.reducer.finish)(sums, self.len, out);
    }

    /// The sum of the row that starts at `start`. Several threads take parts of it.
    fn row_in_parts(&self, start: usize, failure: &Failure) -> u64 {
        scratch::with(self.len.div_ceil(PART), |sums: &mut [u64]| {
            let nanoseconds = self.chain.nanoseconds(self.len);
            parallel::for_each_chunk(sums, 1, nanoseconds, |part, sum| {
                let (at, len) = (part * PART, PART.min(self.len - part * PART));
                let result = self.with_blocks(len, |blocks| blocks.row(start + at, len));
                match result {
                    Ok(of_part) => sum[0] = of_part,
                    Err(_) => failure.note(start + at, result.map(|_| ())),
                }
            });
            tree(self.reducer, sums)
        })
    }

    /// Writes the results of the rows from `first` on.
    fn whole_rows(&self, first: usize, mut out: BlockMut) -> Result<(), ElementError> {
        let len = self.len;
        self.with_blocks(len * out.len(), |blocks| {
            if len > BLOCK {
                for row in 0..out.len() {
                    let sum = blocks.row((first + row) * len, len)?;
                    self.put(&[sum], out.range(row, 1));
                }
                return Ok(());
            }
            let at_once = BLOCK / len;
            for row in (0..out.len()).step_by(at_once) {
                let rows = at_once.min(out.len() - row);
                let values = blocks.calculate((first + row) * len, rows * len)?;
                let values = &BlockRef::whole(&values);
                reduce_rows(self.reducer, values, len, &mut out.range(row, rows));
            }
            Ok(())
        })
    }

    /// Calls `f` with a [`Blocks`] for blocks of up to `len` values.
    fn with_blocks<R>(&self, len: usize, f: impl FnOnce(&mut Blocks) -> R) -> R {
        let (dtype, takes) = (self.chain.program.output, self.reducer.takes);
        Workspace::with(|workspace| {
            let mut values = workspace.take_values(dtype, BLOCK);
            let mut converted = self
                .convert
                .map(|f| (f, workspace.take_values(takes, BLOCK)));
            let result = self.chain.with_run(workspace, len, |run| {
                f(&mut Blocks {
                    run,
                    reducer: self.reducer,
                    values: &mut values,
                    converted: converted.as_mut(),
                })
            });
            workspace.put_values(dtype, values);
            if let Some((_, converted)) = converted {
                workspace.put_values(takes, converted);
            }
            result
        })
    }
}

/// Calculates the chain's values, in the dtype that the reducer takes.
struct Blocks<'a, 'r> {
    run: &'a mut Run<'r>,
    reducer: &'static Reducer,
    values: &'a mut Cells,
    converted: Option<&'a mut (BlockFunction, Box<Cells>)>,
}

impl Blocks<'_, '_> {
    /// Calculates up to a block of values from `start` on.
    fn calculate(&mut self, start: usize, len: usize) -> Result<Block<'_>, ElementError> {
        let mut values = self.values.write(len);
        self.run.values(start, std::slice::from_mut(&mut values))?;
        let Some((convert, converted)) = &mut self.converted else {
            return Ok(self.values.read());
        };
        let values = self.values.read();
        convert(&[BlockRef::whole(&values); 3], &mut converted.write(len))?;
        Ok(converted.read())
    }

    /// The sum of a row of `len` values, block by block.
    fn row(&mut self, start: usize, len: usize) -> Result<u64, ElementError> {
        let reducer = self.reducer;
        let mut pairs = Pairs::new((reducer.identity)());
        for at in (0..len).step_by(BLOCK) {
            let len = BLOCK.min(len - at);
            let mut sum = [0];
            let values = self.calculate(start + at, len)?;
            let (start, stride) = (0, 0);
            (reducer.rows)(
                &BlockRef::whole(&values),
                &Evenly { start, stride, len },
                &mut sum,
            );
            pairs.push(sum[0], reducer.combine);
        }
        Ok(pairs.finish(reducer.combine))
    }
}
