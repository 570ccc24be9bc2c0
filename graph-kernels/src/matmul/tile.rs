//! The innermost part of a matrix product: a few rows of the left operand times a panel of columns of the right one, with
//! every sum in a register. Written as loops of fixed lengths over arrays, which the compiler turns into vector code.

use std::array;

use crate::number::Number;
use crate::simd::MulAdd;

/// The rows of a tile. With four registers of columns there are sixteen sums, enough to hide the latency of the
/// multiply-adds, and eight loads for sixteen of them.
pub(crate) const ROWS: usize = 4;

/// A matrix read row by row: row `i` begins at `i * stride`.
#[derive(Clone, Copy)]
pub(crate) struct Rows<'a, T> {
    pub values: &'a [T],
    pub stride: usize,
}

/// The values of the rows from `i` on side by side: for each place in them, as many as a tile has rows. Behind the row `last` that one is
/// taken again.
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

/// Sums of products: `sums[..][i][j]` over `p` of `left[p][..][i] * right[p][j]`, in the order of `p`, for `G` groups of rows. `right` has
/// as many rows as `left`, of at least `W` values each.
#[inline(always)]
pub(super) fn tile<T: Number, M: MulAdd, const W: usize, const G: usize>(
    left: impl Iterator<Item = [[T; ROWS]; G]>,
    right: Rows<T>,
) -> [[[T; W]; ROWS]; G] {
    let mut sums = [[[T::ZERO; W]; ROWS]; G];
    for (factors, row) in left.zip(right.values.chunks(right.stride)) {
        // There is none behind the last row of a matrix whose rows are longer than its last panel.
        let Some(row) = row.first_chunk::<W>() else {
            break;
        };
        // Loops of fixed lengths one in the other, or the compiler doesn't keep the sums in registers.
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
