//! Reductions of arrays: how the values that go into one result lie in memory decides how they are walked.

use super::Plan;
use super::fold::Fold;
use super::row::{NARROW, Pairs, WIDE, add, row};
use crate::math::MulAdd;
use crate::nest::{Nest, row_major};
use crate::simd::Kernel;
use crate::{parallel, scratch, simd};

/// Values of a single row that are one item of work: a power of two of blocks, so that their tree is a part of the whole's.
const PART: usize = 1 << 16;
/// Rows that are combined with each other before their result is combined with what was there.
const GROUP: usize = 16;
/// Columns that are one item of work.
const COLUMNS: usize = 512;
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
        let blocks = nest.offsets([0, 0]).zip(out.chunks_mut(nest.inner));
        let items = blocks.flat_map(|([start, _], out)| {
            let parts = out.chunks_mut(COLUMNS).enumerate();
            parts.map(move |(n, out)| (start + n * COLUMNS, out))
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
            *sum = simd::run(Row::<F>(values));
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
        let mut sums = [F::IDENTITY; COLUMNS];
        let sums = &mut sums[..self.out.len()];
        for start in (0..self.rows).step_by(GROUP) {
            let group = Group::<F> {
                values: &self.values[start * self.stride..],
                rows: GROUP.min(self.rows - start),
                stride: self.stride,
            };
            let (wide, rest) = sums.as_chunks_mut::<WIDE>();
            let at = wide.len() * WIDE;
            for (j, sums) in wide.iter_mut().enumerate() {
                group.combine(j * WIDE, sums);
            }
            let (narrow, rest) = rest.as_chunks_mut::<NARROW>();
            for (j, sums) in narrow.iter_mut().enumerate() {
                group.combine(at + j * NARROW, sums);
            }
            let at = at + narrow.len() * NARROW;
            for (j, sum) in rest.iter_mut().enumerate() {
                group.combine(at + j, std::array::from_mut(sum));
            }
        }
        for (out, sum) in self.out.iter_mut().zip(sums) {
            *out = (self.finish)(*sum);
        }
    }
}

/// A few rows.
struct Group<'a, F: Fold> {
    values: &'a [F::Value],
    rows: usize,
    stride: usize,
}

impl<F: Fold> Group<'_, F> {
    /// Combines the columns from `at` on.
    #[inline(always)]
    fn combine<const W: usize>(&self, at: usize, sums: &mut [F::Sum; W]) {
        let mut group = [F::IDENTITY; W];
        for i in 0..self.rows {
            if let Some(values) = self.values[i * self.stride + at..].first_chunk::<W>() {
                group = add::<F, W>(&group, values);
            }
        }
        for j in 0..W {
            sums[j] = F::combine(sums[j], group[j]);
        }
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
