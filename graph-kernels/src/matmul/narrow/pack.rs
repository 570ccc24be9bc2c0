//! Packs the operands: several terms of a product to a word.

use super::super::matrix::Matrix;
use super::fits::Narrow;
use crate::scratch;
use crate::simd::{self, Kernel, MulAdd};
use crate::transpose::transpose_block;

/// Packs the left operand, less an offset: the words of a row behind each other. Rows that fill the last tile are zero. Writes the sum of
/// each row's integers.
pub(super) fn pack_left<T: Narrow>(m: Matrix<T>, offset: T, words: &mut [i32], sums: &mut [T]) {
    if m.column_stride == 1 {
        return simd::run(Rows {
            m,
            offset,
            words,
            sums,
        });
    }
    let (rows, each) = (sums.len(), m.columns.div_ceil(T::TERMS));
    scratch::with(words.len(), |packed: &mut [i32]| {
        simd::run(Columns {
            m: m.t(),
            offset,
            words: &mut *packed,
            sums,
        });
        transpose_block(packed, rows, words, each, (rows, each));
    });
}

/// Packs a panel of the right operand, less an offset: the same word of all columns behind each other. Columns that fill the last register
/// are zero. Writes the sum of each column's integers.
pub(super) fn pack_panel<T: Narrow>(m: Matrix<T>, offset: T, words: &mut [i32], sums: &mut [T]) {
    if m.column_stride == 1 {
        return simd::run(Columns {
            m,
            offset,
            words,
            sums,
        });
    }
    let (columns, each) = (sums.len(), m.rows.div_ceil(T::TERMS));
    scratch::with(words.len(), |packed: &mut [i32]| {
        simd::run(Rows {
            m: m.t(),
            offset,
            words: &mut *packed,
            sums,
        });
        transpose_block(packed, each, words, columns, (each, columns));
    });
}

/// Packs the rows of a matrix that lie in memory one behind the other.
struct Rows<'a, T> {
    m: Matrix<'a, T>,
    offset: T,
    words: &'a mut [i32],
    sums: &'a mut [T],
}

impl<T: Narrow> Kernel for Rows<'_, T> {
    type Output = ();

    #[inline(always)]
    fn run<M: MulAdd>(self) {
        let Rows { m, offset, .. } = self;
        let each = m.columns.div_ceil(T::TERMS);
        self.words.fill(0);
        self.sums.fill(T::ZERO);
        let rows = self.words.chunks_exact_mut(each).zip(self.sums);
        for (row, (words, sum)) in rows.enumerate().take(m.rows) {
            let values = &m.values[row * m.row_stride..][..m.columns];
            if const { T::IS_INTEGER } {
                *sum = values.iter().fold(T::ZERO, |sum, value| sum.add(*value));
            }
            T::pack(values, offset, words);
        }
    }
}

/// Packs the columns of a matrix whose rows lie in memory one behind the other.
struct Columns<'a, T> {
    m: Matrix<'a, T>,
    offset: T,
    words: &'a mut [i32],
    sums: &'a mut [T],
}

impl<T: Narrow> Kernel for Columns<'_, T> {
    type Output = ();

    #[inline(always)]
    fn run<M: MulAdd>(self) {
        let Columns { m, offset, .. } = self;
        let width = self.sums.len();
        self.words.fill(0);
        self.sums.fill(T::ZERO);
        for row in 0..m.rows {
            let place = row % T::TERMS;
            let words = &mut self.words[row / T::TERMS * width..][..width];
            let values = &m.values[row * m.row_stride..][..m.columns];
            for (word, value) in words.iter_mut().zip(values) {
                *word |= value.term(offset, place);
            }
            if const { T::IS_INTEGER } {
                let sums = self.sums.iter_mut().zip(values);
                sums.for_each(|(sum, value)| *sum = sum.add(*value));
            }
        }
    }
}
