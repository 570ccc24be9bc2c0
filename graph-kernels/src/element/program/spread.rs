//! What has a value for each row, as values for each place.

use super::super::block::{Block, BlockMut, Lane, with_block};
use crate::math::MulAdd;
use crate::simd::{self, Kernel};

/// Writes each value `len` times.
pub(super) fn spread(values: Block<'_>, len: usize, out: BlockMut<'_>) {
    with_block!(BlockMut out, out => {
        let values = Lane::read(values);
        simd::run(Spread { values, len, out });
    });
}

struct Spread<'a, T> {
    values: &'a [T],
    len: usize,
    out: &'a mut [T],
}

impl<T: Copy> Kernel for Spread<'_, T> {
    type Output = ();
    #[inline(always)]
    fn run<M: MulAdd>(self) {
        for (row, value) in self.out.chunks_exact_mut(self.len).zip(self.values) {
            row.fill(*value);
        }
    }
}
