//! The innermost part of a matrix product: a few rows of the left operand times a panel of columns of the right one, with
//! every sum in a register. Written as loops of fixed lengths over arrays, which the compiler turns into vector code.

use crate::math::MulAdd;
use crate::number::Number;

/// The rows of a tile. With four registers of columns there are sixteen sums, enough to hide the latency of the
/// multiply-adds, and eight loads for sixteen of them.
pub(super) const ROWS: usize = 4;

/// A matrix read row by row: row `i` begins at `i * stride`.
#[derive(Clone, Copy)]
pub(crate) struct Rows<'a, T> {
    pub values: &'a [T],
    pub stride: usize,
}

/// Sums of products: `sums[i][j]` over `p` of `left[i][p] * right[p][j]`, in the order of `p`. All of `left` are of one length;
/// `right` has as many rows, of at least `W` values each.
#[inline(always)]
pub(super) fn tile<T: Number, M: MulAdd, const W: usize>(
    left: [&[T]; ROWS],
    right: Rows<T>,
) -> [[T; W]; ROWS] {
    let mut sums = [[T::ZERO; W]; ROWS];
    let [a, b, c, d] = left;
    let right = right.values.chunks(right.stride);
    for ((((a, b), c), d), row) in a.iter().zip(b).zip(c).zip(d).zip(right) {
        // There is none behind the last row of a matrix whose rows are longer than its last panel.
        let Some(row) = row.first_chunk::<W>() else {
            break;
        };
        for (sums, factor) in sums.iter_mut().zip([a, b, c, d]) {
            *sums = add_scaled::<T, M, W>(sums, *factor, row);
        }
    }
    sums
}

/// `sums + factor * row`.
#[inline(always)]
pub(super) fn add_scaled<T: Number, M: MulAdd, const W: usize>(
    sums: &[T; W],
    factor: T,
    row: &[T; W],
) -> [T; W] {
    let mut result = [T::ZERO; W];
    for j in 0..W {
        result[j] = factor.mul_add::<M>(row[j], sums[j]);
    }
    result
}
