//! Transposing a block: what lies across is read and written a few cache lines at a time, so that a stride of a power of two,
//! at which a cache holds few lines, costs nothing. A small block is in a near cache whatever its stride is: it is transposed a
//! square at a time.

use crate::Element;
use crate::math::MulAdd;
use crate::simd::{self, Kernel};

/// The side of the squares in which values change places: those of 32 bits fill a cache line.
const SIDE: usize = 16;
/// Rows and columns of a tile. It is read by columns and written by rows, all of which should be several lines long.
const ROWS: usize = 4 * SIDE;
const COLUMNS: usize = 8 * SIDE;

/// So many values are in a near cache in whatever order they are read and written.
const NEAR: usize = 16 << 10;

/// A square, row by row.
type Square<T> = [T; SIDE * SIDE];

/// `block[r][c] = x[r + c * step]` for `rows` and `columns`; the rows of `block` are `width` apart.
pub(crate) fn transpose_block<T: Element>(
    x: &[T],
    step: usize,
    block: &mut [T],
    width: usize,
    (rows, columns): (usize, usize),
) {
    let whole = Tile {
        x,
        step,
        block,
        width,
        rows,
        columns,
    };
    if size_of::<T>() <= 8 && rows.min(columns) >= SIDE {
        match rows * columns <= NEAR {
            true => simd::run(Near(whole)),
            false => by_squares(whole),
        }
    } else {
        whole.for_each_tile(|tile| tile.one_by_one());
    }
}

/// A block, or a part of one.
struct Tile<'a, T> {
    x: &'a [T],
    step: usize,
    block: &'a mut [T],
    width: usize,
    rows: usize,
    columns: usize,
}

impl<T: Clone> Tile<'_, T> {
    fn for_each_tile(self, mut f: impl FnMut(Tile<T>)) {
        for r in (0..self.rows).step_by(ROWS) {
            for c in (0..self.columns).step_by(COLUMNS) {
                f(Tile {
                    x: &self.x[r + c * self.step..],
                    step: self.step,
                    block: &mut self.block[r * self.width + c..],
                    width: self.width,
                    rows: ROWS.min(self.rows - r),
                    columns: COLUMNS.min(self.columns - c),
                });
            }
        }
    }

    fn one_by_one(self) {
        for r in 0..self.rows {
            let row = &mut self.block[r * self.width..][..self.columns];
            let values = self.x[r..].iter().step_by(self.step);
            row.iter_mut().zip(values).for_each(|(o, v)| *o = v.clone());
        }
    }
}

/// Not inlined, because it needs much of the stack.
#[inline(never)]
fn by_squares<T: Element>(whole: Tile<T>) {
    let square = |_| std::array::from_fn(|_| T::default());
    let mut squares = std::array::from_fn(|_| std::array::from_fn(square));
    whole.for_each_tile(|tile| {
        if tile.rows.min(tile.columns) < SIDE / 2 {
            return tile.one_by_one();
        }
        let squares = &mut squares;
        simd::run(BySquares { tile, squares });
    });
}

/// A tile by way of squares: columns are read into them, each square is transposed, and rows are written from them.
struct BySquares<'a, T> {
    tile: Tile<'a, T>,
    /// Those of the first rows first.
    squares: &'a mut [[Square<T>; COLUMNS / SIDE]; ROWS / SIDE],
}

impl<T: Element> Kernel for BySquares<'_, T> {
    type Output = ();

    #[inline(always)]
    fn run<M: MulAdd>(self) {
        let BySquares { tile, squares } = self;
        for c in 0..tile.columns {
            let (at, line) = (c / SIDE, c % SIDE * SIDE);
            let (whole, rest) = tile.x[c * tile.step..][..tile.rows].as_chunks::<SIDE>();
            for (values, squares) in whole.iter().zip(squares.iter_mut()) {
                squares[at][line..][..SIDE].clone_from_slice(values);
            }
            if !rest.is_empty() {
                squares[whole.len()][at][line..][..rest.len()].clone_from_slice(rest);
            }
        }
        let used = tile.columns.div_ceil(SIDE);
        for squares in &mut squares[..tile.rows.div_ceil(SIDE)] {
            squares[..used].iter_mut().for_each(transpose_square);
        }
        for r in 0..tile.rows {
            let (squares, line) = (&squares[r / SIDE], r % SIDE * SIDE);
            let row = &mut tile.block[r * tile.width..][..tile.columns];
            let (whole, rest) = row.as_chunks_mut::<SIDE>();
            for (values, square) in whole.iter_mut().zip(squares) {
                values.clone_from_slice(&square[line..][..SIDE]);
            }
            if !rest.is_empty() {
                rest.clone_from_slice(&squares[whole.len()][line..][..rest.len()]);
            }
        }
    }
}

/// A small block, square after square.
struct Near<'a, T>(Tile<'a, T>);

impl<T: Element> Kernel for Near<'_, T> {
    type Output = ();

    #[inline(always)]
    fn run<M: MulAdd>(self) {
        let tile = self.0;
        let [rows, columns] = [tile.rows, tile.columns].map(|size| size / SIDE * SIDE);
        let squares = (0..columns).step_by(SIDE);
        let squares = squares.flat_map(|c| (0..rows).step_by(SIDE).map(move |r| (r, c)));
        for (r, c) in squares {
            let mut square: Square<T> = std::array::from_fn(|_| T::default());
            for (n, line) in square.as_chunks_mut::<SIDE>().0.iter_mut().enumerate() {
                line.clone_from_slice(&tile.x[r + (c + n) * tile.step..][..SIDE]);
            }
            transpose_square(&mut square);
            for (n, line) in square.as_chunks::<SIDE>().0.iter().enumerate() {
                tile.block[(r + n) * tile.width + c..][..SIDE].clone_from_slice(line);
            }
        }
        for r in 0..tile.rows {
            let from = if r < rows { columns } else { 0 };
            for c in from..tile.columns {
                tile.block[r * tile.width + c] = tile.x[r + c * tile.step].clone();
            }
        }
    }
}

#[inline(always)]
fn transpose_square<T: Element>(square: &mut Square<T>) {
    // A position is four digits to the base 4, of which each deal moves the first one to the end: after two, rows and columns have
    // changed places.
    let mut dealt = std::array::from_fn(|_| T::default());
    deal(square, &mut dealt);
    deal(&dealt, square);
}

/// The quarters of a square dealt out value by value, in a loop that becomes vector code.
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
