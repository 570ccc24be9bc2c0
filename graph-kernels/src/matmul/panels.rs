//! The right operand of a product as tiles read it: panels of columns, packed one behind the other unless that costs more than
//! it gains.

use super::matrix::Matrix;
use super::tile::{ROWS, Rows};
use crate::math::MulAdd;
use crate::number::Number;
use crate::simd::{self, Kernel, Level, level};
use crate::transpose::transpose_block;
use crate::{parallel, scratch};

/// The narrowest panel, in values.
pub(super) const NARROWEST: usize = 4;
/// Right operands of up to this many values, which fit into the nearest cache, are read where they are if their panels are
/// exact; so are those of one panel.
const UNPACKED: usize = 12 << 10;

/// The widest panel: as many registers of sums as [`ROWS`] leaves room for.
pub(crate) fn widest<T>() -> usize {
    let bytes = match level() {
        Level::Avx512 => 256,
        Level::Avx2 | Level::Neon => 64,
        Level::Portable => 32,
    };
    bytes / size_of::<T>().max(4)
}

/// The panels of columns: where each begins and how wide it is. Only the last may be wider than what is left.
pub(super) fn panels(columns: usize, widest: usize) -> impl Iterator<Item = (usize, usize)> {
    let (mut at, mut width) = (0, widest);
    std::iter::from_fn(move || {
        let left = columns.checked_sub(at).filter(|left| *left > 0)?;
        // Narrower panels, until one is full, or at least three quarters of it, or half of a register.
        while width > NARROWEST && left < width - width / 4 && (width > 16 || left <= width / 2) {
            width /= 2;
        }
        let panel = (at, width);
        at += width;
        Some(panel)
    })
}

/// The right operand as tiles read it: the panels packed one behind the other, or the matrix as it is.
#[derive(Clone, Copy)]
pub(crate) struct Right<'a, T> {
    pub values: &'a [T],
    /// The number of rows if packed, else the matrix's own stride.
    pub packed: Result<usize, usize>,
    pub widest: usize,
}

impl<'a, T> Right<'a, T> {
    #[inline(always)]
    pub(super) fn panel(self, at: usize, width: usize) -> Rows<'a, T> {
        match self.packed {
            Ok(depth) => Rows {
                values: &self.values[at * depth..(at + width) * depth],
                stride: width,
            },
            Err(stride) => Rows {
                values: &self.values[at..],
                stride,
            },
        }
    }
}

/// Calls `f` with the right operand, packed if that pays for a product with `m` rows.
pub(super) fn with_panels<T: Number>(
    b: Matrix<T>,
    m: usize,
    nanoseconds: usize,
    f: impl FnOnce(Right<T>),
) {
    let widest = widest::<T>();
    let (depth, columns) = (b.rows, b.columns);
    let end = padded(columns, widest);
    let small = m <= 2 * ROWS || depth * columns <= UNPACKED || columns <= widest;
    if end == columns && b.column_stride == 1 && small {
        return f(Right {
            values: b.values,
            // The one row of a transposed column has a stride shorter than itself.
            packed: Err(b.row_stride.max(columns)),
            widest,
        });
    }
    scratch::with(depth * end, |packed| {
        pack_panels(b, packed, nanoseconds / m);
        f(Right {
            values: packed,
            packed: Ok(depth),
            widest,
        });
    });
}

/// How many columns the panels of some columns have.
pub(crate) fn padded(columns: usize, widest: usize) -> usize {
    let last = panels(columns, widest).last();
    last.map_or(0, |(at, width)| at + width)
}

/// Packs a matrix: `packed` has [`padded`] values for each row.
pub(crate) fn pack_panels<T: Number>(b: Matrix<T>, packed: &mut [T], nanoseconds: usize) {
    let (widest, depth, columns) = (widest::<T>(), b.rows, b.columns);
    // All panels but the last ones are of one width, so these are the chunks.
    parallel::for_each_chunk(packed, widest * depth, nanoseconds, |offset, chunk| {
        let at = offset / depth;
        let mut rest = chunk;
        for (j, width) in panels(columns - at, widest) {
            let Some((panel, after)) = rest.split_at_mut_checked(width * depth) else {
                return;
            };
            let used = at + j..(at + j + width).min(columns);
            pack(b.block(0..depth, used), width, panel);
            rest = after;
        }
    });
}

/// The rows of a panel one behind the other, each filled up to `width`.
fn pack<T: Number>(b: Matrix<T>, width: usize, panel: &mut [T]) {
    if b.columns < width {
        panel.fill(T::ZERO);
    }
    if b.column_stride == 1 && b.columns == width {
        simd::run(CopyRows { b, width, panel });
    } else if b.column_stride == 1 {
        for (p, row) in panel.chunks_exact_mut(width).enumerate() {
            let from = p * b.row_stride;
            row[..b.columns].copy_from_slice(&b.values[from..from + b.columns]);
        }
    } else {
        transpose_block(b.values, b.column_stride, panel, width, (b.rows, b.columns));
    }
}

/// Copies the rows of a panel that is full. They are short, so that the registers of the level beat a general copy.
struct CopyRows<'a, T> {
    b: Matrix<'a, T>,
    width: usize,
    panel: &'a mut [T],
}

impl<T: Copy> Kernel for CopyRows<'_, T> {
    type Output = ();

    #[inline(always)]
    fn run<M: MulAdd>(self) {
        match self.width {
            64 => self.rows::<64>(),
            32 => self.rows::<32>(),
            16 => self.rows::<16>(),
            8 => self.rows::<8>(),
            _ => self.rows::<NARROWEST>(),
        }
    }
}

impl<T: Copy> CopyRows<'_, T> {
    #[inline(always)]
    fn rows<const W: usize>(self) {
        // The one row of a transposed column has a stride shorter than itself.
        let rows = self.b.values.chunks(self.b.row_stride.max(W));
        for (to, from) in self.panel.as_chunks_mut::<W>().0.iter_mut().zip(rows) {
            if let Some(from) = from.first_chunk::<W>() {
                *to = *from;
            }
        }
    }
}
