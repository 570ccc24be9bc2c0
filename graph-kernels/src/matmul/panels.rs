//! The right operand of a product in the form that tiles read: panels of columns, packed one behind the other unless packing costs more
//! than it saves.

use super::matrix::Matrix;
use super::strips::STRIP;
use super::tile::{ROWS, StridedRows};
use crate::number::Number;
use crate::simd::MulAdd;
use crate::simd::{self, Kernel, Level, level};
use crate::transpose::transpose_block;
use crate::{parallel, scratch};

/// The width of the narrowest panel, in values.
pub(super) const NARROWEST: usize = 4;
/// The widths of panels, except the narrowest, are multiples of this. With 100 columns, panels of 64 and 40 take 0.93 of the time of 64
/// and 48. (Above three quarters of the widest panel there is no further gain.)
const FINE: usize = 8;
/// Right operands with up to this many values aren't packed if their panels have exact widths: all rows that are multiplied with a panel
/// find it in a near cache. For 32x64x256, as in a step of an LSTM, that takes 0.9 of the time. Operands of one panel aren't packed
/// either.
const UNPACKED: usize = 16 << 10;

/// The width of the widest panel at this thread's level, in values.
pub(crate) fn widest<T: Number>() -> usize {
    widest_in::<T>(level().min(T::UP_TO).panel())
}

/// The width of the widest panel, in values, that has at most `bytes` bytes. Panels of integers are narrow: integers are rarely
/// multiplied, and each width is compiled separately.
pub(super) const fn widest_in<T: Number>(bytes: usize) -> usize {
    let narrow = Level::Avx2.panel();
    let bytes = if T::IS_INTEGER && bytes > narrow {
        narrow
    } else {
        bytes
    };
    let size = if size_of::<T>() < 4 {
        4
    } else {
        size_of::<T>()
    };
    bytes / size
}

/// The panels of `columns` columns: the start and the width of each. Only the last one may be wider than its remaining columns.
///
/// A tile of few columns has too few sums to hide the latency of the multiply-adds, so the remaining columns are one panel, the narrowest
/// that is wide enough: 36 columns are faster as a panel of 40 than as 32 and 4.
pub(super) fn panels(columns: usize, widest: usize) -> impl Iterator<Item = (usize, usize)> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let left = columns.checked_sub(at).filter(|left| *left > 0)?;
        let mut width = widest;
        while width > NARROWEST && left <= width / 2 {
            width /= 2;
        }
        let fitting = left.next_multiple_of(FINE);
        if fitting <= width / 4 * 3 {
            width = fitting;
        }
        let panel = (at, width);
        at += width;
        Some(panel)
    })
}

/// The right operand in the form that tiles read: packed panels, or the matrix itself.
#[derive(Clone, Copy)]
pub(crate) struct Right<'a, T> {
    pub values: &'a [T],
    /// `Ok`: packed, with this number of rows. `Err`: not packed, with the matrix's own stride.
    pub packed: Result<usize, usize>,
    pub widest: usize,
}

impl<'a, T> Right<'a, T> {
    #[inline(always)]
    pub(super) fn panel(self, at: usize, width: usize) -> StridedRows<'a, T> {
        match self.packed {
            Ok(depth) => StridedRows {
                values: &self.values[at * depth..(at + width) * depth],
                stride: width,
            },
            Err(stride) => StridedRows {
                values: &self.values[at..],
                stride,
            },
        }
    }
}

/// Runs `$body` with `$W` as a constant, for each width of a panel up to `$most`. Other widths aren't compiled.
macro_rules! with_width {
    ($width:expr, up to $most:expr, $W:ident => $body:expr) => {
        with_width!($width, up to $most, $W => $body; 8 16 24 32 40 48 64)
    };
    ($width:expr, up to $most:expr, $W:ident => $body:expr; $($each:literal)*) => {
        match $width {
            $($each => {
                const $W: usize = $each;
                if const { $W <= $most } { $body } else { $crate::matmul::panels::too_wide($W) }
            })*
            _ => { const $W: usize = $crate::matmul::panels::NARROWEST; $body }
        }
    };
}
pub(super) use with_width;

/// Panics: a panel is wider than [`widest`] allows.
#[cold]
#[inline(never)]
pub(super) fn too_wide(width: usize) -> ! {
    unreachable!("a panel of {width} columns isn't compiled for this level")
}

/// Whether a product with `m` rows reads the right operand where it is, because packing costs more than it saves.
pub(super) fn is_read_in_place<T: Number>(b: Matrix<T>, m: usize) -> bool {
    let widest = widest::<T>();
    let small = m <= 2 * ROWS || b.rows * b.columns <= UNPACKED || b.columns <= widest;
    small && b.column_stride == 1 && padded(b.columns, widest) == b.columns
}

/// Calls `f` with the right operand, packed if that is faster for a product with `m` rows. `packed` is its packed form, if that is kept.
pub(crate) fn with_panels<T: Number>(
    b: Matrix<T>,
    packed: Option<Right<T>>,
    m: usize,
    nanoseconds: usize,
    f: impl FnOnce(Right<T>),
) {
    if let Some(right) = packed {
        return f(right);
    }
    let widest = widest::<T>();
    if is_read_in_place(b, m) {
        return f(Right {
            values: b.values,
            // The single row of a transposed column has a stride that is shorter than the row.
            packed: Err(b.row_stride.max(b.columns)),
            widest,
        });
    }
    scratch::with(b.rows * padded(b.columns, widest), |packed| {
        pack_panels(b, packed, nanoseconds / m);
        f(Right {
            values: packed,
            packed: Ok(b.rows),
            widest,
        });
    });
}

/// The number of columns of all panels together.
pub(crate) fn padded(columns: usize, widest: usize) -> usize {
    let last = panels(columns, widest).last();
    last.map_or(0, |(at, width)| at + width)
}

/// Packs a matrix: `packed` has [`padded`] values for each row of the matrix.
pub(crate) fn pack_panels<T: Number>(b: Matrix<T>, packed: &mut [T], nanoseconds: usize) {
    let (widest, depth, columns) = (widest::<T>(), b.rows, b.columns);
    // All panels but the last ones have one width, so these are the chunks.
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

/// Copies the rows of a panel one behind the other, each filled up to `width`.
pub(super) fn pack<T: Number>(b: Matrix<T>, width: usize, panel: &mut [T]) {
    if b.column_stride == 1 {
        simd::run(CopyRows { b, width, panel });
    } else {
        if b.columns < width {
            panel.fill(T::ZERO);
        }
        transpose_block(b.values, b.column_stride, panel, width, (b.rows, b.columns));
    }
}

/// Copies the rows of a panel. They are short, so copying in registers of the level is faster than a general copy: a row is filled up
/// with the values that follow it in memory.
struct CopyRows<'a, T> {
    b: Matrix<'a, T>,
    width: usize,
    panel: &'a mut [T],
}

impl<T: Number> Kernel for CopyRows<'_, T> {
    type Output = ();
    const UP_TO: Level = T::UP_TO;

    #[inline(always)]
    fn run<M: MulAdd>(self) {
        with_width!(self.width, up to widest_row::<T, M>(), W => self.rows::<W>())
    }
}

/// The width of the widest row that is copied, of a panel or a strip.
const fn widest_row<T: Number, M: MulAdd>() -> usize {
    let widest = widest_in::<T>(M::PANEL);
    if widest > STRIP { widest } else { STRIP }
}

impl<T: Number> CopyRows<'_, T> {
    #[inline(always)]
    fn rows<const W: usize>(self) {
        let Matrix {
            values,
            columns,
            row_stride,
            ..
        } = self.b;
        for (p, to) in self.panel.as_chunks_mut::<W>().0.iter_mut().enumerate() {
            let from = &values[p * row_stride..];
            match from.first_chunk::<W>() {
                Some(from) => *to = *from,
                None => {
                    let (to, rest) = to.split_at_mut(columns);
                    to.copy_from_slice(&from[..columns]);
                    rest.fill(T::ZERO);
                }
            }
        }
    }
}
