//! Transposes a block of a matrix: a square of values is read a cache line at a time, transposed in registers, and written a cache line
//! at a time. The squares are visited in an order for which strides of a power of two, where few lines fit into a cache, cost no more
//! than others.

use crate::Element;
use crate::simd::MulAdd;
use crate::simd::{self, Kernel};

/// The side of a square. 16 values of 32 bits fill a cache line.
const SIDE: usize = 16;
/// The size of a tile; all its squares are done before those of the next tile. Its rows are written several lines at a time, and the
/// lines that it reads are still in cache when the neighbouring squares are read.
const ROWS: usize = 8 * SIDE;
const COLUMNS: usize = 4 * SIDE;

/// The values of a square, row by row.
type Square<T> = [T; SIDE * SIDE];

/// `block[r][c] = x[r + c * step]` for `rows` and `columns`; the rows of `block` are `width` apart.
pub(crate) fn transpose_block<T: Element>(
    x: &[T],
    step: usize,
    block: &mut [T],
    width: usize,
    (rows, columns): (usize, usize),
) {
    let mut whole = Subblock {
        x,
        step,
        block,
        width,
        rows,
        columns,
    };
    if size_of::<T>() <= 8 && rows.min(columns) >= SIDE {
        simd::run(BySquares(whole));
    } else {
        for place in whole.tiles() {
            whole.part(place, [ROWS, COLUMNS]).one_by_one();
        }
    }
}

/// A block, or a subblock.
struct Subblock<'a, T> {
    x: &'a [T],
    step: usize,
    block: &'a mut [T],
    width: usize,
    rows: usize,
    columns: usize,
}

impl<T: Element> Subblock<'_, T> {
    /// The first row and column of each tile.
    fn tiles(&self) -> impl Iterator<Item = [usize; 2]> + use<T> {
        let (rows, columns) = (self.rows, self.columns);
        let rows = (0..rows).step_by(ROWS);
        rows.flat_map(move |r| (0..columns).step_by(COLUMNS).map(move |c| [r, c]))
    }

    /// The subblock from a row and column on, with at most `rows` rows and `columns` columns.
    #[inline(always)]
    fn part(&mut self, [r, c]: [usize; 2], [rows, columns]: [usize; 2]) -> Subblock<'_, T> {
        Subblock {
            x: &self.x[r + c * self.step..],
            step: self.step,
            block: &mut self.block[r * self.width + c..],
            width: self.width,
            rows: rows.min(self.rows - r),
            columns: columns.min(self.columns - c),
        }
    }

    #[inline(always)]
    fn one_by_one(self) {
        for r in 0..self.rows {
            let row = &mut self.block[r * self.width..][..self.columns];
            let values = self.x[r..].iter().step_by(self.step);
            row.iter_mut().zip(values).for_each(|(o, v)| *o = v.clone());
        }
    }

    #[inline(always)]
    fn by_squares(mut self) {
        let [rows, columns] = [self.rows, self.columns].map(|size| size / SIDE * SIDE);
        for r in (0..rows).step_by(SIDE) {
            for c in (0..columns).step_by(SIDE) {
                self.part([r, c], [SIDE, SIDE]).square();
            }
        }
        if columns < self.columns {
            self.part([0, columns], [rows, SIDE]).one_by_one();
        }
        if rows < self.rows {
            self.part([rows, 0], [SIDE, self.columns]).one_by_one();
        }
    }

    #[inline(always)]
    fn square(self) {
        let mut square: Square<T> = std::array::from_fn(|_| T::default());
        for (n, line) in square.as_chunks_mut::<SIDE>().0.iter_mut().enumerate() {
            line.clone_from_slice(&self.x[n * self.step..][..SIDE]);
        }
        transpose_square(&mut square);
        for (n, line) in square.as_chunks::<SIDE>().0.iter().enumerate() {
            self.block[n * self.width..][..SIDE].clone_from_slice(line);
        }
    }
}

struct BySquares<'a, T>(Subblock<'a, T>);

impl<T: Element> Kernel for BySquares<'_, T> {
    type Output = ();

    #[inline(always)]
    fn run<M: MulAdd>(mut self) {
        // No closure, because it would be compiled as a separate function without the kernel's instructions.
        for place in self.0.tiles() {
            self.0.part(place, [ROWS, COLUMNS]).by_squares();
        }
    }
}

/// Exchanges rows and columns.
#[inline(always)]
fn transpose_square<T: Element>(square: &mut Square<T>) {
    // An index has four digits to the base 4, and each deal moves its first digit to the end: after two deals, rows and columns are
    // exchanged.
    let mut dealt = std::array::from_fn(|_| T::default());
    deal(square, &mut dealt);
    deal(&dealt, square);
}

/// Interleaves the quarters of a square value by value, in a loop that becomes vector code.
#[inline(always)]
fn deal<T: Clone>(from: &Square<T>, to: &mut Square<T>) {
    let (quarters, _) = from.as_chunks::<{ SIDE * SIDE / 4 }>();
    let (fours, _) = to.as_chunks_mut::<4>();
    for (n, four) in fours.iter_mut().enumerate() {
        *four = std::array::from_fn(|q| quarters[q][n].clone());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_of_all_sizes_are_transposed_and_nothing_beside_them_is_written() {
        let sizes = [1, 7, 15, 16, 17, 32, 40, 100, 130, 200];
        let pairs = sizes.iter().flat_map(|r| sizes.map(|c| (*r, c)));
        for (rows, columns) in pairs {
            let (step, width) = (rows + 3, columns + 2);
            let x: Vec<i32> = (0..).take(columns * step).collect();
            let mut block = vec![-1; rows * width];
            transpose_block(&x, step, &mut block, width, (rows, columns));
            for (at, value) in block.iter().enumerate() {
                let (r, c) = (at / width, at % width);
                let expected = if c < columns { x[r + c * step] } else { -1 };
                assert_eq!(*value, expected, "{rows} {columns}, at {r} {c}");
            }
        }
    }
}
