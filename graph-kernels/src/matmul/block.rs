//! Some rows of the result: rows of the left operand times all panels of the right one.

use std::array;

use super::panels::{NARROWEST, Right, panels};
use super::tile::{ROWS, Rows, tile, zipped};
use crate::math::MulAdd;
use crate::number::Number;
use crate::simd::Kernel;

/// The widest panel of which a tile has twice as many rows.
const NARROW: usize = 16;

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
        if let Some(out) = out.first_chunk_mut::<W>() {
            return put_all(out, sums, self.adds);
        }
        // Lengths that the compiler knows become vector code, so what fits is put a few values at a time.
        let (wide, rest) = out.as_chunks_mut::<REGISTER>();
        let (wide_sums, _) = sums.as_chunks::<REGISTER>();
        for (out, sums) in wide.iter_mut().zip(wide_sums) {
            put_all(out, sums, self.adds);
        }
        for (out, sum) in rest.iter_mut().zip(&sums[wide.len() * REGISTER..]) {
            put_all(array::from_mut(out), array::from_ref(sum), self.adds);
        }
    }
}

/// The values in a register of AVX-512, if they have 32 bits.
const REGISTER: usize = 16;

#[inline(always)]
fn put_all<T: Number, const W: usize>(out: &mut [T; W], sums: &[T; W], adds: bool) {
    if adds {
        out.iter_mut().zip(sums).for_each(|(o, v)| *o = o.add(*v));
    } else {
        *out = *sums;
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

/// The left operand as tiles read it.
pub(crate) trait Left<'a, T>: Copy {
    /// For each of the first `depth` products, the factors of the rows from `i` on. Behind the row `last` there is no other; the sums
    /// of such are dropped.
    fn factors(self, i: usize, last: usize, depth: usize) -> impl Iterator<Item = [T; ROWS]>;
}

impl<'a, T: Copy> Left<'a, T> for Rows<'a, T> {
    #[inline(always)]
    fn factors(self, i: usize, last: usize, depth: usize) -> impl Iterator<Item = [T; ROWS]> {
        zipped(i, last, move |i| {
            &self.values[i * self.stride..i * self.stride + depth]
        })
    }
}

impl<'a, T: Number, L: Left<'a, T>> Kernel for Block<'a, T, L> {
    type Output = ();

    #[inline(always)]
    fn run<M: MulAdd>(mut self) {
        for (at, width) in panels(self.columns.1, self.right.widest) {
            match width {
                64 => self.panel::<M, 64>(at),
                48 => self.panel::<M, 48>(at),
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
        let last = self.height - 1;
        // A narrow tile has more rows: there must be enough sums to hide the latency of the multiply-adds.
        if W <= NARROW && 4 * W <= self.right.widest {
            for i in (0..self.height).step_by(2 * ROWS) {
                let [first, second] = [i, i + ROWS].map(|i| self.left.factors(i, last, self.depth));
                let left = first.zip(second).map(|(first, second)| [first, second]);
                let sums = tile::<T, M, W, 2>(left, right);
                self.put(i, at, &sums);
            }
        } else {
            for i in (0..self.height).step_by(ROWS) {
                let left = self.left.factors(i, last, self.depth);
                let sums = tile::<T, M, W, 1>(left.map(|factors| [factors]), right);
                self.put(i, at, &sums);
            }
        }
    }

    /// Writes what fits of a tile: of the rows from `i` on and the columns from `at` on.
    #[inline(always)]
    fn put<const W: usize, const G: usize>(
        &mut self,
        i: usize,
        at: usize,
        sums: &[[[T; W]; ROWS]; G],
    ) {
        let (j0, columns) = self.columns;
        let rows = sums.as_flattened().iter().take(self.height - i);
        for (n, sums) in rows.enumerate() {
            self.out.put(i + n, j0 + at, columns - at, sums);
        }
    }
}
