//! Reductions of arrays: how the values that go into one result lie in memory decides how they are walked.

use super::Plan;
use super::fold::Fold;
use super::row::{BLOCK, Pairs, block, row};
use crate::math::MulAdd;
use crate::nest::{Nest, row_major};
use crate::simd::Kernel;
use crate::{parallel, scratch, simd};

/// Values of a single row that are one item of work: a power of two of blocks, so that their tree is a part of the whole's.
const PART: usize = 1 << 16;
/// Rows that are combined with each other before their result is combined with what was there.
const GROUP: usize = 16;
/// Rows that are read side by side: so many streams come from memory faster than one.
const TOGETHER: usize = 8;
/// Columns that are combined side by side at most: their sums stay in the nearest cache.
const COLUMNS: usize = 2048;
/// Columns that are one item of work for several threads. The longer the parts of rows that are read, the faster they come.
const SHARE: usize = 512;
/// Values that come from memory in a nanosecond.
const PER_NANOSECOND: usize = 8;

/// Reduces values of a shape into `out`, which has a value for each result; `finish` turns a sum into a result.
pub(super) fn reduce<F: Fold, O: Send>(
    shape: &[usize],
    values: &[F::Value],
    reduction: &Plan,
    out: &mut [O],
    finish: impl Fn(F::Sum) -> O + Copy + Sync,
) {
    let mut nest = Nest::new(shape, [&row_major(shape), &reduction.strides]);
    if values.is_empty() {
        return out.fill_with(|| finish(F::IDENTITY));
    }
    if let [out] = out
        && nest.inner == values.len()
    {
        *out = finish(single::<F>(values));
        return;
    }
    let nanoseconds = values.len() / PER_NANOSECOND;
    let kept = |outer: &[(usize, [isize; 2])]| outer.iter().all(|(_, [_, out])| *out != 0);
    if nest.strides == [1, 0] && kept(nest.outer()) {
        let per = (PART / nest.inner).max(1);
        return parallel::for_each_chunk(out, per, nanoseconds, |first, out| {
            simd::run(Rows::<F, _, _> {
                values,
                nest: &nest,
                first,
                out,
                finish,
            });
        });
    }
    if let Some((rows, [stride, 0])) = nest.second()
        && nest.strides == [1, 1]
        && kept(&nest.outer()[..nest.outer().len() - 1])
    {
        nest.take_second();
        // Every column is combined by itself, so their number makes no difference to results.
        let columns = match parallel::is_worth_splitting(nanoseconds) {
            true => SHARE,
            false => COLUMNS,
        };
        let blocks = nest.offsets([0, 0]).zip(out.chunks_mut(nest.inner));
        let items = blocks.flat_map(|([start, _], out)| {
            let parts = out.chunks_mut(columns).enumerate();
            parts.map(move |(n, out)| (start + n * columns, out))
        });
        return parallel::for_each(items, nanoseconds, |(start, out)| {
            simd::run(Columns::<F, _, _> {
                values: &values[start..],
                rows,
                stride: stride as usize,
                out,
                finish,
            });
        });
    }
    scratch::with(out.len(), |sums: &mut [F::Sum]| {
        sums.fill(F::IDENTITY);
        simd::run(Scattered::<F> {
            values,
            nest: &nest,
            sums,
        });
        out.iter_mut()
            .zip(sums)
            .for_each(|(o, sum)| *o = finish(*sum));
    });
}

/// All values, which are one row.
pub(super) fn single<F: Fold>(values: &[F::Value]) -> F::Sum {
    if values.len() <= PART {
        return simd::run(Row::<F>(values));
    }
    scratch::with(values.len().div_ceil(PART), |sums: &mut [F::Sum]| {
        let nanoseconds = values.len() / PER_NANOSECOND;
        let parts = values.chunks(PART).zip(sums.iter_mut());
        parallel::for_each(parts, nanoseconds, |(values, sum)| {
            *sum = match values.as_array() {
                Some(part) => simd::run(Part::<F>(part)),
                None => simd::run(Row::<F>(values)),
            };
        });
        let mut pairs = Pairs::<F>::new();
        sums.iter().for_each(|sum| pairs.push(*sum));
        pairs.finish()
    })
}

struct Row<'a, F: Fold>(&'a [F::Value]);

impl<F: Fold> Kernel for Row<'_, F> {
    type Output = F::Sum;
    #[inline(always)]
    fn run<M: MulAdd>(self) -> F::Sum {
        row::<F>(self.0)
    }
}

/// What [`Row`] gives for so many values, of which four streams are read side by side: together they come from memory faster
/// than one.
struct Part<'a, F: Fold>(&'a [F::Value; PART]);

impl<F: Fold> Kernel for Part<'_, F> {
    type Output = F::Sum;
    #[inline(always)]
    fn run<M: MulAdd>(self) -> F::Sum {
        let (quarters, _) = self.0.as_chunks::<{ PART / 4 }>();
        // Each is a part of the tree.
        let mut pairs = [0; 4].map(|_| Pairs::<F>::new());
        for at in (0..PART / 4).step_by(BLOCK) {
            for (pairs, quarter) in pairs.iter_mut().zip(quarters) {
                pairs.push(block::<F>(&quarter[at..at + BLOCK]));
            }
        }
        let mut whole = Pairs::<F>::new();
        for pairs in pairs {
            whole.push(pairs.finish());
        }
        whole.finish()
    }
}

/// One row of values for each result.
struct Rows<'a, F: Fold, O, G> {
    values: &'a [F::Value],
    nest: &'a Nest<2>,
    first: usize,
    out: &'a mut [O],
    finish: G,
}

impl<F: Fold, O, G: Fn(F::Sum) -> O> Kernel for Rows<'_, F, O, G> {
    type Output = ();
    #[inline(always)]
    fn run<M: MulAdd>(self) {
        let starts = self.nest.offsets_from([0, 0], self.first);
        for (out, [start, _]) in self.out.iter_mut().zip(starts) {
            let values = &self.values[start..start + self.nest.inner];
            *out = (self.finish)(row::<F>(values));
        }
    }
}

/// Rows, `stride` apart, that are combined value by value.
struct Columns<'a, F: Fold, O, G> {
    values: &'a [F::Value],
    rows: usize,
    stride: usize,
    out: &'a mut [O],
    finish: G,
}

impl<F: Fold, O, G: Fn(F::Sum) -> O> Kernel for Columns<'_, F, O, G> {
    type Output = ();
    #[inline(always)]
    fn run<M: MulAdd>(self) {
        let len = self.out.len();
        let (mut sums, mut group) = ([F::IDENTITY; COLUMNS], [F::IDENTITY; COLUMNS]);
        let (sums, group) = (&mut sums[..len], &mut group[..len]);
        let row = |n: usize| &self.values[n * self.stride..][..len];
        for start in (0..self.rows).step_by(GROUP) {
            let end = self.rows.min(start + GROUP);
            let whole = start + (end - start) / TOGETHER * TOGETHER;
            group.fill(F::IDENTITY);
            for first in (start..whole).step_by(TOGETHER) {
                add_rows::<F, TOGETHER>(group, std::array::from_fn(|n| row(first + n)));
            }
            (whole..end).for_each(|n| add_rows::<F, 1>(group, [row(n)]));
            for (sum, group) in sums.iter_mut().zip(&*group) {
                *sum = F::combine(*sum, *group);
            }
        }
        for (out, sum) in self.out.iter_mut().zip(sums) {
            *out = (self.finish)(*sum);
        }
    }
}

/// Combines each sum with the values of its column, one row after the other.
#[inline(always)]
fn add_rows<F: Fold, const R: usize>(sums: &mut [F::Sum], rows: [&[F::Value]; R]) {
    let len = sums.len();
    let rows = rows.map(|row| &row[..len]);
    for j in 0..len {
        sums[j] = rows
            .iter()
            .fold(sums[j], |sum, row| F::combine(sum, F::lift(row[j])));
    }
}

/// Values of which those for one result lie in several places.
struct Scattered<'a, F: Fold> {
    values: &'a [F::Value],
    nest: &'a Nest<2>,
    sums: &'a mut [F::Sum],
}

impl<F: Fold> Kernel for Scattered<'_, F> {
    type Output = ();
    #[inline(always)]
    fn run<M: MulAdd>(self) {
        self.nest.for_each([0, 0], |[at, out]| {
            let values = &self.values[at..at + self.nest.inner];
            if self.nest.strides[1] == 0 {
                self.sums[out] = F::combine(self.sums[out], row::<F>(values));
            } else {
                for (sum, value) in self.sums[out..].iter_mut().zip(values) {
                    *sum = F::combine(*sum, F::lift(*value));
                }
            }
        });
    }
}
