//! A block of the result: some rows of the left operand times all panels of the right one.

use super::addend::Addend;
use super::panels::{NARROWEST, Right, panels, widest_in, with_width};
use super::tile::{ROWS, StridedRows, tile, zipped};
use crate::number::Number;
use crate::simd::MulAdd;
use crate::simd::{Kernel, Level};

/// The widest panel for which a tile has twice as many rows.
const NARROW: usize = 16;

/// The rows of the result that a block writes.
pub(crate) struct Out<'a, T> {
    pub values: &'a mut [T],
    pub stride: usize,
    /// Whether the sums are added to values that were already written.
    pub adds: bool,
    /// The arrays that are then added, and the index of the first of these rows in them.
    pub addends: &'a [Addend<'a, T>],
    pub first: usize,
}

impl<T: Number> Out<'_, T> {
    /// Writes a row of sums from a column on. Copies of a length that the compiler knows become vector code, so the sums are written in
    /// such chunks.
    #[inline(always)]
    fn put(&mut self, row: usize, at: usize, sums: &[T]) {
        let rest = self.put_chunks::<REGISTER>(row, at, sums);
        let at = at + sums.len() - rest.len();
        let last = self.put_chunks::<NARROWEST>(row, at, rest);
        let at = at + rest.len() - last.len();
        self.put_chunks::<1>(row, at, last);
    }

    /// Writes chunks of `W` sums, and returns the rest.
    #[inline(always)]
    fn put_chunks<'s, const W: usize>(&mut self, row: usize, at: usize, sums: &'s [T]) -> &'s [T] {
        let (chunks, rest) = sums.as_chunks::<W>();
        for (n, sums) in chunks.iter().enumerate() {
            self.put_all(row, at + n * W, [*sums]);
        }
        rest
    }

    /// Writes the sums of some rows from a column on. All loops have fixed lengths, so that the sums stay in registers.
    #[inline(always)]
    fn put_all<const W: usize, const R: usize>(
        &mut self,
        row: usize,
        at: usize,
        mut sums: [[T; W]; R],
    ) {
        let start = row * self.stride + at;
        if self.adds {
            for (n, sums) in sums.iter_mut().enumerate() {
                add_to(sums, self.values, start + n * self.stride);
            }
        }
        for addend in self.addends {
            for (n, sums) in sums.iter_mut().enumerate() {
                add_to(sums, addend.row(self.first + row + n), at);
            }
        }
        for (n, sums) in sums.iter().enumerate() {
            let out = self.values.get_mut(start + n * self.stride..);
            if let Some(out) = out.and_then(|out| out.first_chunk_mut()) {
                *out = *sums;
            }
        }
    }
}

/// Adds the values from `start` on.
#[inline(always)]
fn add_to<T: Number, const W: usize>(sums: &mut [T; W], values: &[T], start: usize) {
    let values = values.get(start..).and_then(|values| values.first_chunk());
    if let Some(values) = values {
        add(sums, values);
    }
}

#[inline(always)]
fn add<T: Number, const W: usize>(sums: &mut [T; W], values: &[T; W]) {
    let both = sums.iter_mut().zip(values);
    both.for_each(|(sum, value)| *sum = sum.add(*value));
}

/// The number of 32-bit values in a register of AVX-512.
const REGISTER: usize = 16;

/// Some rows of the left operand times the panels.
pub(crate) struct Block<'a, T, L> {
    pub left: L,
    pub height: usize,
    pub depth: usize,
    pub right: Right<'a, T>,
    /// The first column of the panels in the result, and the number of columns.
    pub columns: (usize, usize),
    pub out: Out<'a, T>,
}

/// The left operand, in the form that tiles read.
pub(crate) trait Left<'a, T>: Copy {
    /// The widest panel that it is multiplied with is the widest of all divided by this.
    const NARROWER: usize = 1;
    /// Whether the right operand is always packed. Then the distance from row to row is a constant: a convolution has so many other addresses
    /// that this one would be read from the stack for each product.
    const PACKED: bool = false;

    /// For each of the first `depth` products, the factors of the rows from `i` on. `last` is the last row; the sums of rows behind it
    /// are dropped.
    fn factors(self, i: usize, last: usize, depth: usize) -> impl Iterator<Item = [T; ROWS]>;
}

impl<'a, T: Copy> Left<'a, T> for StridedRows<'a, T> {
    #[inline(always)]
    fn factors(self, i: usize, last: usize, depth: usize) -> impl Iterator<Item = [T; ROWS]> {
        zipped(i, last, move |i| {
            &self.values[i * self.stride..i * self.stride + depth]
        })
    }
}

impl<'a, T: Number, L: Left<'a, T>> Kernel for Block<'a, T, L> {
    type Output = ();
    const UP_TO: Level = T::UP_TO;

    #[inline(always)]
    fn run<M: MulAdd>(mut self) {
        for (at, width) in panels(self.columns.1, self.right.widest) {
            with_width!(width, up to widest_in::<T>(M::PANEL / L::NARROWER), W => self.panel::<M, W>(at));
        }
    }
}

impl<'a, T: Number, L: Left<'a, T>> Block<'a, T, L> {
    #[inline(always)]
    fn panel<M: MulAdd, const W: usize>(&mut self, at: usize) {
        let mut right = self.right.panel(at, W);
        if const { L::PACKED } {
            debug_assert!(self.right.packed.is_ok(), "the panel is packed");
            right.stride = W;
        }
        let last = self.height - 1;
        // For a narrow panel a tile has more rows: there must be enough sums to hide the latency of the multiply-adds.
        if W <= NARROW && 4 * W <= self.right.widest {
            for i in (0..self.height).step_by(2 * ROWS) {
                self.read_ahead(i, 2 * ROWS, at, W);
                // No closure for both branches: it isn't inlined into the loop, and convolutions with 16 filters took 1.3 times as long.
                let first = self.left.factors(i, last, self.depth);
                let second = self.left.factors(i + ROWS, last, self.depth);
                let left = first.zip(second).map(|(first, second)| [first, second]);
                let sums = tile::<T, M, W, 2>(left, right);
                self.put(i, at, sums);
            }
        } else {
            for i in (0..self.height).step_by(ROWS) {
                self.read_ahead(i, ROWS, at, W);
                let left = self.left.factors(i, last, self.depth);
                let sums = tile::<T, M, W, 1>(left.map(|factors| [factors]), right);
                self.put(i, at, sums);
            }
        }
    }

    /// Whether rows that are narrower than the only panel may be written with its width: each row is written over what hangs over from the one before, up to
    /// the row `end`, and what hangs over from the last one is written later.
    #[inline(always)]
    fn may_hang_over(&self, end: usize, at: usize, width: usize) -> bool {
        let out = &self.out;
        let is_only = at == 0 && self.columns == (0, out.stride) && width <= 2 * out.stride;
        is_only
            && !out.adds
            && out.addends.is_empty()
            && (end - 1) * out.stride + width <= self.height * out.stride
    }

    /// Prefetches the addends of a tile, so that they are in cache when its sums are done.
    #[inline(always)]
    fn read_ahead(&self, i: usize, rows: usize, at: usize, columns: usize) {
        for addend in self.out.addends {
            let column = self.columns.0 + at;
            addend.read_ahead(self.out.first + i, rows, column, columns);
        }
    }

    /// Writes the part of a tile that is inside the result: the rows from `i` on and the columns from `at` on.
    #[inline(always)]
    fn put<const W: usize, const G: usize>(
        &mut self,
        i: usize,
        at: usize,
        sums: [[[T; W]; ROWS]; G],
    ) {
        let (rows, columns) = (self.height - i, self.columns.1 - at);
        let column = self.columns.0 + at;
        if rows >= G * ROWS && (columns >= W || self.may_hang_over(i + G * ROWS, at, W)) {
            for (n, sums) in sums.iter().enumerate() {
                self.out.put_all(i + n * ROWS, column, *sums);
            }
            return;
        }
        // A copy; without it all sums would be kept in memory.
        let some = sums;
        for (n, sums) in some.as_flattened().iter().take(rows).enumerate() {
            self.out.put(i + n, column, &sums[..columns.min(W)]);
        }
    }
}
