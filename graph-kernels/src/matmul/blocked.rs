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
use super::block::{Block, Out};
use super::matrix::Matrix;
use super::panels::with_panels;
use super::tile::{ROWS, Rows};
use crate::number::Number;
use crate::transpose::transpose_block;
use crate::{parallel, scratch, simd};

/// How many products are added in registers before the sum goes to memory.
pub(crate) const DEPTH: usize = 256;
/// How many columns of the right operand are packed at a time.
const COLUMNS: usize = 2048;
/// Multiplications that a thread does in a nanosecond, at least.
const PER_NANOSECOND: usize = 64;

/// `out = a · b`, then `finish` on each block of rows. `nanoseconds` decides on threads: see [`cost`].
pub(super) fn product<T: Number>(
    a: Matrix<T>,
    b: Matrix<T>,
    out: &mut [T],
    finish: Finish,
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
pub(crate) fn cost(m: usize, k: usize, n: usize) -> usize {
    m.saturating_mul(k).saturating_mul(n) / PER_NANOSECOND
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
