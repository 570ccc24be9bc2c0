//! Products of numbers that need fewer bits than they have: integers of a byte each, as in quantized networks, and floats that are `bf16`.
//! Where the CPU has instructions for these, which multiply four or two at a time ([`simd::narrow`](crate::simd::narrow)), the values decide
//! whether a product is one of them. The results are the same.
//!
//! *Bytes.* The instruction takes them without a sign on the left and with a sign on the right. So each operand is packed as the distance of its
//! values from an offset: `(a + x) (b + y)` is `a b + x (b + y) + y a`, and the sums of the last two terms belong to a column and to a row. Sums of 32
//! bits wrap, as those of all products of such integers.
//!
//! *Halves.* The product of two `bf16` is exact in `f32`, and the instruction adds one after the other, as the tiles of other products do. But it
//! takes subnormal numbers as zeros. All products and sums are multiples of the product of the operands' last digits; if that isn't subnormal, nothing is.

mod fits;
mod pack;
#[cfg(test)]
mod tests;

use std::array;
use std::ops::Range;

use super::Finish;
use super::matrix::Matrix;
use crate::number::Number;
use crate::simd::narrow::{self, LANES, ROWS};
use crate::simd::{self, Kernel, MulAdd};
use crate::{parallel, scratch};
use fits::Narrow;
use pack::{pack_left, pack_panel};

/// The widest panel of the right operand, in registers.
const WIDEST: usize = 4;
/// The columns of such a panel.
const COLUMNS: usize = WIDEST * LANES;
/// The rows that a thread takes at a time.
const CHUNK: usize = 64;
/// With fewer rows, columns or terms, or fewer products in all, packing takes longer than it saves: 64x64x64 takes 0.8 of the time of the product for
/// all integers, 32x32x32 1.5. Of `bf16` only two share a word: 64x64x64 takes 1.15, 256x256x256 0.7.
/// With few rows, reading a large right operand from memory once more takes longest: 32x4096x4096 takes 1.2.
const SHORT: usize = 64;
const FEW_BYTES: usize = 1 << 18;
const FEW_HALVES: usize = 1 << 21;

/// `out = a · b`, then `finish`, if there is an instruction for these values. Returns false, and changes nothing, if not.
pub(super) fn product<T: Number>(
    a: Matrix<T>,
    b: Matrix<T>,
    out: &mut [T],
    finish: &Finish,
    nanoseconds: usize,
) -> bool {
    let (m, k, n) = (a.rows, a.columns, b.columns);
    let few = const { if T::IS_INTEGER { FEW_BYTES } else { FEW_HALVES } };
    if m.min(k).min(n) < SHORT || m.saturating_mul(k).saturating_mul(n) < few {
        return false;
    }
    if_narrow(a, b, out, finish, nanoseconds)
}

/// [`product`] of any sizes.
fn if_narrow<T: Number>(
    a: Matrix<T>,
    b: Matrix<T>,
    out: &mut [T],
    finish: &Finish,
    nanoseconds: usize,
) -> bool {
    let is_word = const { size_of::<T>() == size_of::<i32>() };
    if is_word && T::IS_INTEGER && narrow::has_bytes() {
        let out = bytemuck::cast_slice_mut(out);
        product_of::<i32>(cast(a), cast(b), out, finish, nanoseconds)
    } else if is_word && !T::IS_INTEGER && narrow::has_halves() {
        let out = bytemuck::cast_slice_mut(out);
        product_of::<f32>(cast(a), cast(b), out, finish, nanoseconds)
    } else {
        false
    }
}

/// The same matrix of a type of the same size.
fn cast<T: Number, U: Number>(m: Matrix<'_, T>) -> Matrix<'_, U> {
    Matrix {
        values: bytemuck::cast_slice(m.values),
        rows: m.rows,
        columns: m.columns,
        row_stride: m.row_stride,
        column_stride: m.column_stride,
    }
}

/// [`product`] of numbers of a type that has an instruction.
fn product_of<T: Narrow>(
    a: Matrix<T>,
    b: Matrix<T>,
    out: &mut [T],
    finish: &Finish,
    nanoseconds: usize,
) -> bool {
    let Some(offsets) = T::offsets(a, b) else {
        return false;
    };
    let (m, k, n) = (a.rows, a.columns, b.columns);
    let (rows, columns) = (m.next_multiple_of(ROWS), n.next_multiple_of(LANES));
    let most = T::depth(k);
    let words = most.div_ceil(T::TERMS);
    scratch::with(words * (rows + columns), |packed| {
        scratch::with(rows + columns, |terms: &mut [T]| {
            let (packed_left, packed_right) = packed.split_at_mut(words * rows);
            let (of_rows, of_columns) = terms.split_at_mut(rows);
            for start in (0..k).step_by(most) {
                let part = start..k.min(start + most);
                let operands = Packed::new(
                    [a.block(0..m, part.clone()), b.block(part.clone(), 0..n)],
                    offsets,
                    [&mut *packed_left, &mut *packed_right],
                    [&mut *of_rows, &mut *of_columns],
                );
                parallel::for_each_chunk(out, CHUNK * n, nanoseconds, |offset, chunk| {
                    operands.multiply(offset / n, chunk, n, start > 0);
                    if part.end == k {
                        finish.rows(offset, chunk, n);
                    }
                });
            }
        });
    });
    true
}

/// Both operands, packed, and what is added to each row and column.
struct Packed<'a, T> {
    left: &'a [i32],
    right: &'a [i32],
    of_rows: &'a [T],
    of_columns: &'a [T],
    /// The words of a row or column.
    words: usize,
}

impl<'a, T: Narrow> Packed<'a, T> {
    fn new(
        [a, b]: [Matrix<T>; 2],
        [x, y]: [T; 2],
        [left, right]: [&'a mut [i32]; 2],
        [of_rows, of_columns]: [&'a mut [T]; 2],
    ) -> Packed<'a, T> {
        let words = a.columns.div_ceil(T::TERMS);
        let left = &mut left[..words * of_rows.len()];
        let right = &mut right[..words * of_columns.len()];
        pack_left(a, x, left, of_rows);
        let panels = right.chunks_mut(words * COLUMNS);
        for (n, (words, sums)) in panels.zip(of_columns.chunks_mut(COLUMNS)).enumerate() {
            let at = n * COLUMNS;
            let panel = b.block(0..b.rows, at..b.columns.min(at + COLUMNS));
            pack_panel(panel, y, words, sums);
        }
        // What the offsets add to each row and column, given the sums of their values. Floats have none.
        if const { T::IS_INTEGER } {
            let less = x.mul(T::from_usize(a.columns));
            let rows = of_rows.iter_mut();
            rows.for_each(|sum| *sum = sum.sub(less).mul(y));
            let columns = of_columns.iter_mut();
            columns.for_each(|sum| *sum = sum.mul(x));
        }
        Packed {
            left,
            right,
            of_rows,
            of_columns,
            words,
        }
    }

    /// Writes the rows of the product from `first` on, a multiple of a tile's, or adds them to what is there.
    fn multiply(&self, first: usize, out: &mut [T], n: usize, adds: bool) {
        for at in (0..n).step_by(COLUMNS) {
            let place = (first, at);
            match (self.of_columns.len() - at) / LANES {
                1 => self.panel::<1>(place, out, n, adds),
                2 => self.panel::<2>(place, out, n, adds),
                3 => self.panel::<3>(place, out, n, adds),
                _ => self.panel::<WIDEST>(place, out, n, adds),
            }
        }
    }

    /// Writes the columns of a panel.
    fn panel<const C: usize>(
        &self,
        (first, at): (usize, usize),
        out: &mut [T],
        n: usize,
        adds: bool,
    ) {
        let right = &self.right[at * self.words..][..self.words * C * LANES];
        let right = right.as_chunks().0.as_chunks::<C>().0;
        let columns: Range<usize> = at..n.min(at + C * LANES);
        for (tile, out) in out.chunks_mut(ROWS * n).enumerate() {
            let row = first + tile * ROWS;
            let left = |i: usize| &self.left[(row + i) * self.words..][..self.words];
            let sums = T::sums::<C>(array::from_fn(left), right);
            for (i, out) in out.chunks_mut(n).enumerate() {
                simd::run(Write {
                    out: &mut out[columns.clone()],
                    sums: sums[i].as_flattened(),
                    of_row: self.of_rows[row + i],
                    of_columns: &self.of_columns[columns.clone()],
                    adds,
                });
            }
        }
    }
}

/// Writes some sums of a row, or adds them to what is there, with what the offsets add.
struct Write<'a, T> {
    out: &'a mut [T],
    sums: &'a [T],
    of_row: T,
    of_columns: &'a [T],
    adds: bool,
}

impl<T: Narrow> Kernel for Write<'_, T> {
    type Output = ();

    #[inline(always)]
    fn run<M: MulAdd>(self) {
        let sums = self.out.iter_mut().zip(self.sums);
        if const { T::IS_INTEGER } {
            for ((out, sum), of_column) in sums.zip(self.of_columns) {
                *out = sum.add(self.of_row).add(*of_column);
            }
        } else if self.adds {
            sums.for_each(|(out, sum)| *out = out.add(*sum));
        } else {
            sums.for_each(|(out, sum)| *out = *sum);
        }
    }
}
