//! A matrix in memory, read directly or transposed.

use std::ops::Range;

/// A matrix with row-major values, or the transpose of one: one of the strides is 1.
#[derive(Clone, Copy)]
pub(crate) struct Matrix<'a, T> {
    pub values: &'a [T],
    pub rows: usize,
    pub columns: usize,
    pub row_stride: usize,
    pub column_stride: usize,
}

impl<'a, T> Matrix<'a, T> {
    /// The matrix with `rows` contiguous rows of `columns` values.
    pub fn new(values: &'a [T], rows: usize, columns: usize) -> Matrix<'a, T> {
        Matrix {
            values,
            rows,
            columns,
            row_stride: columns,
            column_stride: 1,
        }
    }

    /// The transpose.
    pub fn t(self) -> Matrix<'a, T> {
        Matrix {
            values: self.values,
            rows: self.columns,
            columns: self.rows,
            row_stride: self.column_stride,
            column_stride: self.row_stride,
        }
    }

    /// The submatrix of some rows and columns.
    pub fn block(self, rows: Range<usize>, columns: Range<usize>) -> Matrix<'a, T> {
        let start = rows.start * self.row_stride + columns.start * self.column_stride;
        Matrix {
            values: &self.values[start.min(self.values.len())..],
            rows: rows.len(),
            columns: columns.len(),
            row_stride: self.row_stride,
            column_stride: self.column_stride,
        }
    }
}
