//! Reductions as the walks over arrays see them: the fold is given as functions over blocks and words, so that the walks are compiled
//! once, and the fold's two loops once per dtype and instruction set.

use std::marker::PhantomData;

use super::ReduceOp;
use super::fold::{Addend, All, Any, Fold, Integral, Max, Min, Product, Sum};
use super::row::{NARROW, add, block, two_blocks};
use crate::block::{Block, BlockMut, BlockRef, Lane};
use crate::dispatch::undefined;
use crate::number::Number;
use crate::short_rows::{SHORT, SideBySide};
use crate::simd::MulAdd;
use crate::simd::{self, Kernel, Level};
use crate::{DType, Element, KernelError, bf16, f16, scratch};

/// The number of results that are calculated before they are written.
pub(crate) const RESULTS: usize = 128;
/// The number of rows that are combined with each other before they are combined with the previous sums.
const GROUP: usize = 16;
/// The number of rows that are read at once: several streams are read from memory faster than one.
const TOGETHER: usize = 8;

/// The minimum distance, in values, of rows that are read at once. Rows that are closer are read faster one after the other.
const FAR: usize = 1 << 15;
/// Rows with fewer values are read one by one.
const WORTH_PAIRING: usize = 256;

/// The number of short rows that are combined side by side.
const AT_ONCE: usize = 32;
// Side by side, the values of a row are combined in their order. Only of rows that don't fill the partial sums is that the order of `block`; and to combine
// partial sums side by side took longer than one after the other, in profiles of `gpt_sample_32`.
const _: () = assert!(SHORT <= NARROW);
/// The number of columns that are combined at once: those of a register of AVX-512, of numbers of 32 bits.
const LANES: usize = 16;
/// Fewer columns are combined in groups.
const FEW: usize = 64;

/// Rows of `len` values: the first begins at `start`, the others follow at a fixed stride.
#[derive(Clone, Copy)]
pub(crate) struct Evenly {
    pub start: usize,
    pub stride: usize,
    pub len: usize,
}

/// The functions of a reduction. A sum is the combination of some values by the fold, in the low bits of a word.
#[derive(Debug)]
pub(crate) struct Reducer {
    /// The dtype that the values must have: `float32` for 16-bit floats.
    pub takes: DType,
    /// The sum of no values.
    pub identity: fn() -> u64,
    /// Writes the sums of rows of up to a [block](super::row::BLOCK) of values.
    pub rows: fn(values: &BlockRef, rows: &Evenly, sums: &mut [u64]),
    /// Combines each sum with the values of its column; `rows` is the number of rows and their distance.
    pub columns: fn(values: Block, rows: [usize; 2], sums: &mut [u64]),
    /// Combines two sums.
    pub combine: fn(u64, u64) -> u64,
    /// Writes results; `count` is the number of values that went into each sum.
    pub finish: fn(sums: &[u64], count: usize, out: BlockMut),
}

impl ReduceOp {
    /// The functions for a dtype.
    ///
    /// # Errors
    /// If the reduction isn't defined for the dtype.
    pub(crate) fn reducer(self, dtype: DType) -> Result<&'static Reducer, KernelError> {
        let reducer = match (self, dtype) {
            (ReduceOp::Any, DType::Bool) => const { Some(&truth::<Any>()) },
            (ReduceOp::All, DType::Bool) => const { Some(&truth::<All>()) },
            (ReduceOp::Mean, DType::I32) => const { Some(&integer_mean::<i32>()) },
            (ReduceOp::Mean, DType::I64) => const { Some(&integer_mean::<i64>()) },
            (ReduceOp::Mean, DType::U8) => const { Some(&integer_mean::<u8>()) },
            (ReduceOp::Mean, DType::I8) => const { Some(&integer_mean::<i8>()) },
            (ReduceOp::Mean, DType::I16) => const { Some(&integer_mean::<i16>()) },
            (ReduceOp::Mean, DType::U16) => const { Some(&integer_mean::<u16>()) },
            (ReduceOp::Mean, DType::U32) => const { Some(&integer_mean::<u32>()) },
            (ReduceOp::Mean, DType::U64) => const { Some(&integer_mean::<u64>()) },
            (ReduceOp::Max, DType::U64) => const { Some(&of_itself::<Max<u64>>()) },
            (ReduceOp::Min, DType::U64) => const { Some(&of_itself::<Min<u64>>()) },
            (_, DType::F32) => self.of_numbers::<f32>(),
            (_, DType::F64) => self.of_numbers::<f64>(),
            (_, DType::F16) => self.of_numbers::<f16>(),
            (_, DType::BF16) => self.of_numbers::<bf16>(),
            (_, DType::I32) => self.of_numbers::<i32>(),
            (_, DType::I64) => self.of_numbers::<i64>(),
            (_, DType::U8) => self.of_numbers::<u8>(),
            (_, DType::I8) => self.of_numbers::<i8>(),
            (_, DType::I16) => self.of_numbers::<i16>(),
            (_, DType::U16) => self.of_numbers::<u16>(),
            (_, DType::U32) => self.of_numbers::<u32>(),
            (_, DType::U64) => self.of_numbers::<u64>(),
            (_, DType::Bool | DType::Str) => None,
        };
        reducer.ok_or_else(|| undefined(self.name(), dtype))
    }

    /// Numbers are combined in the type in which they are added.
    fn of_numbers<T: Addend<Sum: Addend<Sum = T::Sum>>>(self) -> Option<&'static Reducer> {
        Some(match self {
            ReduceOp::Sum => const { &number::<T, Sum<T::Sum>>() },
            ReduceOp::Prod => const { &number::<T, Product<T::Sum>>() },
            ReduceOp::Max => const { &extreme::<T, Max<T::Sum>>() },
            ReduceOp::Min => const { &extreme::<T, Min<T::Sum>>() },
            ReduceOp::Mean => {
                const {
                    &Reducer::new::<Sum<T::Sum>>(|sums, count, out| {
                        let count = T::Sum::from_usize(count);
                        finish(sums, out, |sum: T::Sum| T::narrow(sum.div(count)));
                    })
                }
            }
            ReduceOp::Any | ReduceOp::All => return None,
        })
    }
}

const fn truth<F: Fold<Sum = u8>>() -> Reducer {
    Reducer::new::<F>(|sums, _, out| finish(sums, out, |sum: u8| sum != 0))
}

const fn integer_mean<T: Integral>() -> Reducer {
    Reducer::new::<Sum<i64>>(|sums, count, out| {
        let count = (count as i64).max(1);
        finish(sums, out, |sum: i64| T::mean(sum, count));
    })
}

const fn number<T: Addend, F: Fold<Sum = T::Sum>>() -> Reducer {
    Reducer::new::<F>(|sums, _, out| finish(sums, out, T::narrow))
}

const fn extreme<T: Addend, F: Fold<Sum = T::Sum>>() -> Reducer {
    Reducer::new::<F>(|sums, _, out| finish(sums, out, T::nearest))
}

const fn of_itself<F: Fold>() -> Reducer {
    Reducer::new::<F>(|sums, _, out| finish(sums, out, |sum: F::Sum| sum))
}

/// Writes a function of each sum.
fn finish<S: Lane, O: Lane>(sums: &[u64], mut out: BlockMut, result: impl Fn(S) -> O) {
    for (out, sum) in O::write(&mut out).iter_mut().zip(sums) {
        *out = result(S::of_word(*sum));
    }
}

impl Reducer {
    const fn new<F: Fold>(finish: fn(&[u64], usize, BlockMut)) -> Reducer {
        Reducer {
            takes: F::Value::DTYPE,
            identity: || F::IDENTITY.to_word(),
            rows: |values, rows, sums| {
                let fold = PhantomData::<F>;
                simd::run(RowSums {
                    values,
                    rows,
                    sums,
                    fold,
                });
            },
            columns: |values, [rows, stride], sums| {
                let values = F::Value::read(values);
                scratch::with(2 * sums.len(), |typed: &mut [F::Sum]| {
                    let (typed, group) = typed.split_at_mut(sums.len());
                    let of_words = sums.iter().map(|word| F::Sum::of_word(*word));
                    typed
                        .iter_mut()
                        .zip(of_words)
                        .for_each(|(sum, of_word)| *sum = of_word);
                    simd::run(ColumnSums::<F> {
                        values,
                        rows,
                        stride,
                        sums: typed,
                        group,
                    });
                    let words = typed.iter().map(|sum| sum.to_word());
                    sums.iter_mut()
                        .zip(words)
                        .for_each(|(sum, word)| *sum = word);
                });
            },
            combine: |a, b| F::combine(F::Sum::of_word(a), F::Sum::of_word(b)).to_word(),
            finish,
        }
    }
}

/// Combines each row to one sum.
struct RowSums<'a, F: Fold> {
    values: &'a BlockRef<'a>,
    rows: &'a Evenly,
    sums: &'a mut [u64],
    fold: PhantomData<F>,
}

impl<F: Fold> Kernel for RowSums<'_, F> {
    type Output = ();
    const UP_TO: Level = F::UP_TO;
    #[inline(always)]
    fn run<M: MulAdd>(self) {
        let Evenly { start, stride, len } = *self.rows;
        let values = F::Value::look(self.values);
        let row = |n: usize| &values[start + n * stride..][..len];
        // The rows of the first half together with those of the second: two streams are read from memory faster than one.
        let half = self.sums.len() / 2;
        let are_far = len >= WORTH_PAIRING && half * stride >= FAR;
        let half = if are_far { half } else { 0 };
        let mut done = 2 * half;
        for n in 0..half {
            let [a, b] = two_blocks::<F>(row(n), row(half + n));
            (self.sums[n], self.sums[half + n]) = (a.to_word(), b.to_word());
        }
        if (1..SHORT).contains(&len) && stride == len && self.sums.len() >= AT_ONCE {
            let mut some = SideBySide::<F::Value, AT_ONCE>::new(values[start]);
            for words in self.sums.chunks_exact_mut(AT_ONCE) {
                let columns = some.take(&values[start + done * len..], len);
                let mut sums = [F::IDENTITY; AT_ONCE];
                let values = columns.iter();
                values.for_each(|values| add::<F, AT_ONCE>(&mut sums, *values));
                for (word, sum) in words.iter_mut().zip(sums) {
                    *word = sum.to_word();
                }
                done += AT_ONCE;
            }
        }
        for n in done..self.sums.len() {
            self.sums[n] = block::<F>(row(n)).to_word();
        }
    }
}

/// Combines rows, a stride apart, value by value.
struct ColumnSums<'a, F: Fold> {
    values: &'a [F::Value],
    rows: usize,
    stride: usize,
    sums: &'a mut [F::Sum],
    /// As long as the sums: the combination of a few rows.
    group: &'a mut [F::Sum],
}

impl<F: Fold> Kernel for ColumnSums<'_, F> {
    type Output = ();
    const UP_TO: Level = F::UP_TO;
    #[inline(always)]
    fn run<M: MulAdd>(self) {
        let ColumnSums { sums, group, .. } = self;
        let len = sums.len();
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
    }
}

/// Combines each sum with the values of its column, one row after the other. Groups of columns of a fixed number become vector code where there are
/// few; many columns do so anyway, and five times as fast.
#[inline(always)]
fn add_rows<F: Fold, const R: usize>(sums: &mut [F::Sum], rows: [&[F::Value]; R]) {
    let len = sums.len();
    let rows = rows.map(|row| &row[..len]);
    if len >= FEW {
        for j in 0..len {
            sums[j] = rows
                .iter()
                .fold(sums[j], |sum, row| F::combine(sum, F::lift(row[j])));
        }
        return;
    }
    let (groups, rest) = sums.as_chunks_mut::<LANES>();
    let behind = len - rest.len();
    for (n, group) in groups.iter_mut().enumerate() {
        let mut sums = *group;
        for row in rows {
            let (values, _) = row.as_chunks::<LANES>();
            add::<F, LANES>(&mut sums, values[n]);
        }
        *group = sums;
    }
    for (j, sum) in (behind..).zip(rest) {
        *sum = rows
            .iter()
            .fold(*sum, |sum, row| F::combine(sum, F::lift(row[j])));
    }
}
