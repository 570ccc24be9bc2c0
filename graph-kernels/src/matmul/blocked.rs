//! Products of matrices: the operands are cut into blocks that fit into caches, the right one is packed into panels as wide as
//! a tile, and the rows of the result are split over threads.
//!
//! Why not the `matrixmultiply` crate: measured beside it (AVX-512, one thread, `f32`) this takes 0.86 of its time for 256³, 0.70
//! for 64³ and 32x64x64, where packing the left operand costs as much as it gains, and it allocates nothing, takes integers, has
//! a version for every level of [`simd`](crate::simd), and lets the result be finished while it is in cache.
//!
//! The sum of each value of the result is taken over blocks of [`DEPTH`] products in their order, whatever the other sizes
//! and the number of threads are.

use super::Finish;
use super::matrix::Matrix;
use super::tile::{ROWS, Rows, tile};
use crate::copy::transpose_block;
use crate::math::MulAdd;
use crate::number::Number;
use crate::simd::{Kernel, Level, level};
use crate::{parallel, scratch, simd};

/// How many products are added in registers before the sum goes to memory.
const DEPTH: usize = 256;
/// How many columns of the right operand are packed at a time.
const COLUMNS: usize = 2048;
/// The narrowest panel, in values.
const NARROWEST: usize = 4;
/// Right operands of up to this many values are read where they are if their panels are exact.
const UNPACKED: usize = 8192;
/// Multiplications that a thread does in a nanosecond, at least.
const PER_NANOSECOND: usize = 64;

/// `out = a · b`, then `finish` on each block of rows. `nanoseconds` decides on threads: see [`cost`].
pub(super) fn product<T: Number>(
    a: Matrix<T>,
    b: Matrix<T>,
    out: &mut [T],
    finish: Finish<T>,
    nanoseconds: usize,
) {
    let (m, k, n) = (a.rows, a.columns, b.columns);
    let chunk = m.div_ceil(8).next_multiple_of(ROWS).clamp(16, 128);
    if k == 0 {
        out.fill(T::ZERO);
        return finish.block(0, out);
    }
    for j0 in (0..n).step_by(COLUMNS) {
        let columns = COLUMNS.min(n - j0);
        for p0 in (0..k).step_by(DEPTH) {
            let depth = DEPTH.min(k - p0);
            let last = p0 + depth == k && j0 + columns == n;
            let right = b.block(p0..p0 + depth, j0..j0 + columns);
            with_panels(right, m, nanoseconds, |right| {
                parallel::for_each_chunk(out, chunk * n, nanoseconds, |offset, out| {
                    let i0 = offset / n;
                    let left = a.block(i0..i0 + out.len() / n, p0..p0 + depth);
                    with_rows(left, |rows| {
                        simd::run(Block {
                            left: rows,
                            height: left.rows,
                            depth,
                            right,
                            columns: (j0, columns),
                            out: Out {
                                values: out,
                                stride: n,
                                adds: p0 > 0,
                            },
                        });
                    });
                    if last {
                        finish.block(offset, out);
                    }
                });
            });
        }
    }
}

/// How long a product of these sizes takes on one thread.
pub(super) fn cost(m: usize, k: usize, n: usize) -> usize {
    m.saturating_mul(k).saturating_mul(n) / PER_NANOSECOND
}

/// The widest panel: as many registers of sums as [`ROWS`] leaves room for.
fn widest<T>() -> usize {
    let bytes = match level() {
        Level::Avx512 => 256,
        Level::Avx2 | Level::Neon => 64,
        Level::Portable => 32,
    };
    bytes / size_of::<T>().max(4)
}

/// The panels of columns: where each begins and how wide it is. Only the last may be wider than what is left.
fn panels(columns: usize, widest: usize) -> impl Iterator<Item = (usize, usize)> {
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
struct Right<'a, T> {
    values: &'a [T],
    /// The number of rows if packed, else the matrix's own stride.
    packed: Result<usize, usize>,
    widest: usize,
}

impl<'a, T> Right<'a, T> {
    #[inline(always)]
    fn panel(self, at: usize, width: usize) -> Rows<'a, T> {
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
fn with_panels<T: Number>(b: Matrix<T>, m: usize, nanoseconds: usize, f: impl FnOnce(Right<T>)) {
    let widest = widest::<T>();
    let (depth, columns) = (b.rows, b.columns);
    let end = panels(columns, widest)
        .last()
        .map_or(0, |(at, width)| at + width);
    let small = m <= 2 * ROWS || depth * columns <= UNPACKED;
    if end == columns && b.column_stride == 1 && small {
        return f(Right {
            values: b.values,
            // The one row of a transposed column has a stride shorter than itself.
            packed: Err(b.row_stride.max(columns)),
            widest,
        });
    }
    scratch::with(depth * end, |packed| {
        // All panels but the last ones are of one width, so these are the chunks.
        parallel::for_each_chunk(packed, widest * depth, nanoseconds / m, |offset, chunk| {
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
        f(Right {
            values: packed,
            packed: Ok(depth),
            widest,
        });
    });
}

/// The rows of a panel one behind the other, each filled up to `width`.
fn pack<T: Number>(b: Matrix<T>, width: usize, panel: &mut [T]) {
    if b.columns < width {
        panel.fill(T::ZERO);
    }
    if b.column_stride == 1 {
        for (p, row) in panel.chunks_exact_mut(width).enumerate() {
            let from = p * b.row_stride;
            row[..b.columns].copy_from_slice(&b.values[from..from + b.columns]);
        }
    } else {
        transpose_block(b.values, b.column_stride, panel, width, (b.rows, b.columns));
    }
}

/// Calls `f` with the rows of the left operand, which are copied if they lie across.
fn with_rows<T: Number>(a: Matrix<T>, f: impl FnOnce(Rows<T>)) {
    if a.column_stride == 1 {
        return f(Rows {
            values: a.values,
            stride: a.row_stride,
        });
    }
    scratch::with(a.rows * a.columns, |rows| {
        transpose_block(
            a.values,
            a.column_stride,
            rows,
            a.columns,
            (a.rows, a.columns),
        );
        f(Rows {
            values: rows,
            stride: a.columns,
        });
    });
}

/// Rows of the result.
struct Out<'a, T> {
    values: &'a mut [T],
    stride: usize,
    /// Whether there are sums already to add to.
    adds: bool,
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
struct Block<'a, T> {
    left: Rows<'a, T>,
    height: usize,
    depth: usize,
    right: Right<'a, T>,
    /// The first column of the panels in the result, and how many there are.
    columns: (usize, usize),
    out: Out<'a, T>,
}

impl<T: Number> Kernel for Block<'_, T> {
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

impl<T: Number> Block<'_, T> {
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
