//! Programs that end in a reduction over the last axes: the values of a row are combined block by block as they are
//! calculated, in the order that [`reduce`](crate::reduce()) has.

use super::super::ElementError;
use super::super::Lane;
use super::Reduction;
use super::run::{Chain, Failure, Run};
use super::workspace::Workspace;
use crate::math::MulAdd;
use crate::reduce::row::{BLOCK, Pairs, block};
use crate::reduce::{Fold, Plan, Visitor};
use crate::simd::{self, Kernel};
use crate::{Array, Axes, KernelError, parallel, reduce, scratch};

/// Values of one row that are one item of work: a power of two of blocks, so that their tree is a part of the whole's.
const PART: usize = 64 * BLOCK;

/// Runs a chain whose values have the given shape, and reduces them.
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
    let plan = Plan::new(shape, axes)?;
    if !plan.is_trailing(shape) {
        let mut values = Array::default();
        chain.write(shape, &mut values)?;
        return reduce(reduction.op, &values, axes, out);
    }
    let rows = Rows { chain, plan, out };
    reduction.op.visit(chain.program.output, rows)?
}

/// Rows of values, each of which is reduced to one.
struct Rows<'a> {
    chain: &'a Chain<'a>,
    plan: Plan,
    out: &'a mut Array,
}

impl Visitor for Rows<'_> {
    type Output = Result<(), KernelError>;
    fn visit<F: Fold<Value: Lane>, O: Lane>(
        self,
        finish: impl Fn(F::Sum, usize) -> O + Copy + Send + Sync,
    ) -> Self::Output {
        let Rows { chain, plan, out } = self;
        out.try_reset(O::DTYPE, &plan.shape)?;
        let Some(out) = out.values_mut::<O>() else {
            return Ok(());
        };
        let len = plan.count;
        if len == 0 {
            out.fill(finish(F::IDENTITY, 0));
            return Ok(());
        }
        let failure = Failure::default();
        let level = simd::level();
        // The level is supported: it is the caller's.
        let with_level = |start, work: &mut dyn FnMut() -> Result<(), ElementError>| {
            failure.note(start, simd::with_level(level, work).unwrap_or(Ok(())));
        };
        let nanoseconds = chain.nanoseconds(out.len().saturating_mul(len));
        if len <= PART {
            // Whole rows are an item.
            let rows = PART / len;
            parallel::for_each_chunk(out, rows, nanoseconds, |first, out| {
                with_level(first * len, &mut || {
                    chain.rows::<F>(first * len, len, out.len(), |row, sum| {
                        out[row] = finish(sum, len);
                    })
                });
            });
        } else {
            // Parts of a row are.
            for (row, out) in out.iter_mut().enumerate() {
                let sum = scratch::with(len.div_ceil(PART), |sums: &mut [F::Sum]| {
                    parallel::for_each_chunk(sums, 1, nanoseconds, |part, sum| {
                        let start = row * len + part * PART;
                        let part = PART.min(len - part * PART);
                        with_level(start, &mut || {
                            chain.rows::<F>(start, part, 1, |_, s| sum[0] = s)
                        });
                    });
                    let mut pairs = Pairs::<F>::new();
                    sums.iter().for_each(|sum| pairs.push(*sum));
                    pairs.finish()
                });
                *out = finish(sum, len);
            }
        }
        failure.result()
    }
}

impl Chain<'_> {
    /// Combines each of some rows of `len` values, the first of which starts at a place.
    fn rows<F: Fold<Value: Lane>>(
        &self,
        start: usize,
        len: usize,
        rows: usize,
        mut result: impl FnMut(usize, F::Sum),
    ) -> Result<(), ElementError> {
        Workspace::with(|workspace| {
            let mut values = workspace.take_values::<F::Value>(BLOCK);
            let mut run = self.prepare(workspace, len * rows);
            let done = if len > BLOCK {
                (0..rows).try_for_each(|row| {
                    let start = start + row * len;
                    run.long_row::<F>(start, len, &mut values)
                        .map(|sum| result(row, sum))
                })
            } else {
                run.short_rows::<F>(start, len, rows, &mut values, result)
            };
            workspace.put_values(values);
            done
        })
    }
}

impl Run<'_> {
    /// Combines a row of several blocks.
    fn long_row<F: Fold<Value: Lane>>(
        &mut self,
        start: usize,
        len: usize,
        values: &mut [F::Value],
    ) -> Result<F::Sum, ElementError> {
        let mut pairs = Pairs::<F>::new();
        for at in (0..len).step_by(BLOCK) {
            let values = &mut values[..BLOCK.min(len - at)];
            self.values(start + at, Lane::block_mut(values))?;
            pairs.push(simd::run(Combine::<F>(values)));
        }
        Ok(pairs.finish())
    }

    /// Combines rows of which several make a block.
    fn short_rows<F: Fold<Value: Lane>>(
        &mut self,
        start: usize,
        len: usize,
        rows: usize,
        values: &mut [F::Value],
        mut result: impl FnMut(usize, F::Sum),
    ) -> Result<(), ElementError> {
        let at_once = BLOCK / len;
        for first in (0..rows).step_by(at_once) {
            let values = &mut values[..at_once.min(rows - first) * len];
            self.values(start + first * len, Lane::block_mut(values))?;
            for (n, values) in values.chunks(len).enumerate() {
                result(first + n, simd::run(Combine::<F>(values)));
            }
        }
        Ok(())
    }
}

/// The combination of a block's values.
struct Combine<'a, F: Fold>(&'a [F::Value]);

impl<F: Fold> Kernel for Combine<'_, F> {
    type Output = F::Sum;
    #[inline(always)]
    fn run<M: MulAdd>(self) -> F::Sum {
        block::<F>(self.0)
    }
}
