//! Some rows of the result: rows of the left operand times all panels of the right one.

use super::panels::{NARROWEST, Right, panels};
use super::tile::{ROWS, Rows, tile};
use crate::math::MulAdd;
use crate::number::Number;
use crate::simd::Kernel;

/// Rows of the result.
pub(crate) struct Out<'a, T> {
    pub values: &'a mut [T],
    pub stride: usize,
    /// Whether there are sums already to add to.
    pub adds: bool,
}

impl<T: Number> Out<'_, T> {
    /// Writes what fits of a row of sums, at column `at`.
    #[inline(always)]
    fn put<const W: usize>(&mut self, row: usize, at: usize, width: usize, sums: &[T; W]) {
        let from = row * self.stride + at;
        let out = &mut self.values[from..from + width.min(W)];
        if let (Some(out), false) = (out.first_chunk_mut::<W>(), self.adds) {
            *out = *sums;
        } else if self.adds {
            out.iter_mut().zip(sums).for_each(|(o, v)| *o = o.add(*v));
        } else {
            out.iter_mut().zip(sums).for_each(|(o, v)| *o = *v);
        }
    }
}

/// Some rows of the left operand times the panels.
pub(crate) struct Block<'a, T, L> {
    pub left: L,
    pub height: usize,
    pub depth: usize,
    pub right: Right<'a, T>,
    /// The first column of the panels in the result, and how many there are.
    pub columns: (usize, usize),
    pub out: Out<'a, T>,
}

/// Where the rows of the left operand are.
pub(crate) trait Left<'a, T>: Copy {
    /// The first `len` values of row `i`.
    fn row(self, i: usize, len: usize) -> &'a [T];
}

impl<'a, T: Copy> Left<'a, T> for Rows<'a, T> {
    #[inline(always)]
    fn row(self, i: usize, len: usize) -> &'a [T] {
        &self.values[i * self.stride..i * self.stride + len]
    }
}

impl<'a, T: Number, L: Left<'a, T>> Kernel for Block<'a, T, L> {
    type Output = ();

    #[inline(always)]
    fn run<M: MulAdd>(mut self) {
        for (at, width) in panels(self.columns.1, self.right.widest) {
            match width {
                64 => self.panel::<M, 64>(at),
                32 => self.panel::<M, 32>(at),
                16 => self.panel::<M, 16>(at),
                8 => self.panel::<M, 8>(at),
                _ => self.panel::<M, NARROWEST>(at),
            }
        }
    }
}

impl<'a, T: Number, L: Left<'a, T>> Block<'a, T, L> {
    #[inline(always)]
    fn panel<M: MulAdd, const W: usize>(&mut self, at: usize) {
        let right = self.right.panel(at, W);
        let (j0, columns) = self.columns;
        for i0 in (0..self.height).step_by(ROWS) {
            let last = self.height - 1;
            // Behind the last row the tile takes that row again; its sums are dropped.
            let left = std::array::from_fn(|i| self.left.row((i0 + i).min(last), self.depth));
            let sums = tile::<T, M, W>(left, right);
            for (i, sums) in sums.iter().take(self.height - i0).enumerate() {
                self.out.put(i0 + i, j0 + at, columns - at, sums);
            }
        }
    }
}
