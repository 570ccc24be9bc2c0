//! Packs the operands: several terms of a product to a word.

use super::super::matrix::Matrix;
use super::fits::Narrow;
use crate::simd::{Kernel, MulAdd};

/// Packs the left operand row by row, less an offset; rows that fill the last tile are zero. Writes the sum of each row's integers.
pub(super) struct PackLeft<'a, T> {
    pub m: Matrix<'a, T>,
    pub offset: T,
    pub words: &'a mut [i32],
    pub sums: &'a mut [T],
}

impl<T: Narrow> Kernel for PackLeft<'_, T> {
    type Output = ();

    #[inline(always)]
    fn run<M: MulAdd>(self) {
        let PackLeft { m, offset, .. } = self;
        let words = m.columns.div_ceil(T::TERMS);
        self.words.fill(0);
        self.sums.fill(T::ZERO);
        let rows = self.words.chunks_exact_mut(words).zip(self.sums);
        for (row, (words, sum)) in rows.enumerate().take(m.rows) {
            let values = &m.values[row * m.row_stride..];
            if m.column_stride == 1 {
                let values = &values[..m.columns];
                if const { T::IS_INTEGER } {
                    *sum = values.iter().fold(T::ZERO, |sum, value| sum.add(*value));
                }
                T::pack(values, offset, words);
            } else {
                for column in 0..m.columns {
                    let value = values[column * m.column_stride];
                    *sum = sum.add(value);
                    words[column / T::TERMS] |= value.term(offset, column % T::TERMS);
                }
            }
        }
    }
}

/// Packs a panel of the right operand, less an offset: all columns of a word behind each other. Writes the sum of each column's integers.
pub(super) struct PackPanel<'a, T> {
    pub m: Matrix<'a, T>,
    pub offset: T,
    pub words: &'a mut [i32],
    pub sums: &'a mut [T],
}

impl<T: Narrow> Kernel for PackPanel<'_, T> {
    type Output = ();

    #[inline(always)]
    fn run<M: MulAdd>(self) {
        let PackPanel {
            m,
            offset,
            words,
            sums,
        } = self;
        let width = sums.len();
        words.fill(0);
        sums.fill(T::ZERO);
        if m.column_stride == 1 {
            for row in 0..m.rows {
                let words = &mut words[row / T::TERMS * width..][..width];
                let values = &m.values[row * m.row_stride..][..m.columns];
                for ((sum, word), value) in sums.iter_mut().zip(words).zip(values) {
                    *sum = sum.add(*value);
                    *word |= value.term(offset, row % T::TERMS);
                }
            }
        } else {
            for (column, sum) in sums.iter_mut().enumerate().take(m.columns) {
                let values = &m.values[column * m.column_stride..][..m.rows];
                let words = words[column..].iter_mut().step_by(width);
                for (word, values) in words.zip(values.chunks(T::TERMS)) {
                    for (place, value) in values.iter().enumerate() {
                        *sum = sum.add(*value);
                        *word |= value.term(offset, place);
                    }
                }
            }
        }
    }
}
