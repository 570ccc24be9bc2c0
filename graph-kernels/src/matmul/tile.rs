//! The innermost part of a matrix product: a few rows of the left operand times a panel of columns of the right one, with
//! every sum in a register. Written as loops of fixed lengths over arrays, which the compiler turns into vector code.

use std::array;

use crate::number::Number;
use crate::simd::MulAdd;

/// The number of rows of a tile. With four registers of columns there are sixteen sums, enough to hide the latency of the multiply-adds,
/// and eight loads for these sixteen multiply-adds.
pub(crate) const ROWS: usize = 4;

/// A matrix read row by row: row `i` begins at `i * stride`.
#[derive(Clone, Copy)]
pub(crate) struct StridedRows<'a, T> {
    pub values: &'a [T],
    pub stride: usize,
}

/// For each column, the values of the rows from `i` on: one per row of a tile. Behind the row `last`, that row is repeated.
#[inline(always)]
pub(crate) fn zipped<'a, T: Copy + 'a>(
    i: usize,
    last: usize,
    row: impl Fn(usize) -> &'a [T],
) -> impl Iterator<Item = [T; ROWS]> {
    let [a, b, c, d] = array::from_fn(|n| row((i + n).min(last)));
    let rows = a.iter().zip(b).zip(c).zip(d);
    rows.map(|(((a, b), c), d)| [*a, *b, *c, *d])
}

/// Sums of products, for `G` groups of rows: `sums[..][i][j]` is the sum over `p` of `left[p][..][i] * right[p][j]`, in the order of `p`.
/// `right` has as many rows as `left`, with at least `W` values each.
#[inline(always)]
pub(super) fn tile<T: Number, M: MulAdd, const W: usize, const G: usize>(
    left: impl Iterator<Item = [[T; ROWS]; G]>,
    right: StridedRows<T>,
) -> [[[T; W]; ROWS]; G] {
    let mut sums = [[[T::ZERO; W]; ROWS]; G];
    for (factors, row) in left.zip(right.values.chunks(right.stride)) {
        // The last row of an unpacked matrix may be shorter than `W` only behind the last product.
        let Some(row) = row.first_chunk::<W>() else {
            break;
        };
        // Nested loops of fixed lengths; otherwise the compiler doesn't keep the sums in registers.
        for (sums, factors) in sums.iter_mut().zip(factors) {
            for (sums, factor) in sums.iter_mut().zip(factors) {
                *sums = add_scaled::<T, M, W>(sums, factor, row);
            }
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

/// `sums + a * b`, value by value.
#[inline(always)]
pub(crate) fn add_products<T: Number, M: MulAdd, const W: usize>(
    sums: &[T; W],
    a: &[T; W],
    b: &[T; W],
) -> [T; W] {
    let mut result = [T::ZERO; W];
    for j in 0..W {
        result[j] = a[j].mul_add::<M>(b[j], sums[j]);
    }
    result
}
