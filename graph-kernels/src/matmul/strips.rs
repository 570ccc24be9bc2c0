//! The left operand of a product if it is transposed: strips of rows. The values of a strip for one product are contiguous, as in memory,
//! so nothing is transposed.

use super::block::Left;
use super::matrix::Matrix;
use super::panels::pack;
use super::tile::ROWS;
use crate::number::Number;
use crate::scratch;

/// The number of rows of a strip: a cache line of 32-bit values.
pub(super) const STRIP: usize = 16;

/// Strips, one behind the other.
#[derive(Clone, Copy)]
pub(super) struct Strips<'a, T> {
    values: &'a [T],
}

impl<'a, T: Copy> Left<'a, T> for Strips<'a, T> {
    #[inline(always)]
    fn factors(self, i: usize, _: usize, depth: usize) -> impl Iterator<Item = [T; ROWS]> {
        let strip = &self.values[i / STRIP * STRIP * depth..][..STRIP * depth];
        let part = i % STRIP / ROWS;
        let (products, _) = strip.as_chunks::<STRIP>();
        products
            .iter()
            .map(move |factors| factors.as_chunks::<ROWS>().0[part])
    }
}

/// Calls `f` with the strips of a matrix whose columns are contiguous.
pub(super) fn with_strips<T: Number>(a: Matrix<T>, f: impl FnOnce(Strips<T>)) {
    let len = a.rows.next_multiple_of(STRIP) * a.columns;
    scratch::with(len, |values| {
        for (n, strip) in values.chunks_exact_mut(STRIP * a.columns).enumerate() {
            let rows = n * STRIP..a.rows.min((n + 1) * STRIP);
            pack(a.block(rows, 0..a.columns).t(), STRIP, strip);
        }
        f(Strips { values });
    });
}
