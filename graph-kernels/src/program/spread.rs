//! Spreads one value per row to one value per element.

use crate::block::{BlockMut, BlockRef, Lane, with_block};
use crate::simd::MulAdd;
use crate::simd::{self, Kernel};

/// Writes each value `len` times.
pub(super) fn spread(values: &BlockRef, len: usize, out: &mut BlockMut) {
    simd::run(Spread { values, len, out });
}

struct Spread<'a, 'b> {
    values: &'a BlockRef<'a>,
    len: usize,
    out: &'a mut BlockMut<'b>,
}

impl Kernel for Spread<'_, '_> {
    type Output = ();
    #[inline(always)]
    fn run<M: MulAdd>(self) {
        with_block!(BlockMut self.out, out => {
            for (row, value) in out.chunks_exact_mut(self.len).zip(Lane::look(self.values)) {
                row.fill(*value);
            }
        });
    }
}
