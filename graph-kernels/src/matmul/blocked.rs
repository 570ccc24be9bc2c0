//! Products of matrices: the operands are cut into blocks that fit into caches, the right one is packed into panels as wide as a tile,
//! and the rows of the result are split over threads.
//!
//! Why not the `matrixmultiply` crate: this takes 0.86 of its time for 256³ (AVX-512, one thread, `f32`), and 0.70 for 64³ and 32x64x64,
//! where packing the left operand costs as much as it saves. Also, this allocates nothing, handles integers, has a version for every
//! level of [`simd`](crate::simd), and lets the caller finish the result while it is in cache.
//!
//! Each value of the result is summed over blocks of [`depth`] products in their order, whatever the other sizes and the number of
//! threads are.

use super::Finish;
use super::block::{Block, Left, Out};
use super::matrix::Matrix;
use super::packed::{Blocks, Packed};
use super::panels::{Right, is_read_in_place, with_panels};
use super::strips::{STRIP, with_strips};
use super::tile::StridedRows;
use crate::number::Number;
use crate::transpose::transpose_block;
use crate::{parallel, scratch, simd};

/// The approximate number of products that are added in registers before the sum is written to memory.
const DEPTH: usize = 256;
/// The number of columns of the right operand that are packed at a time.
const COLUMNS: usize = 2048;
/// The number of values of the result that fit into the nearest cache.
const NEAR: usize = 8 << 10;
/// The minimum number of multiplications that a thread does in a nanosecond.
const PER_NANOSECOND: usize = 64;

/// `out = a · b`, then `finish` on each block of rows. `nanoseconds` decides on threads: see [`cost`].
pub(super) fn product<T: Number>(
    a: Matrix<T>,
    b: Matrix<T>,
    packed: Option<&Packed>,
    out: &mut [T],
    finish: &Finish,
    nanoseconds: usize,
) {
    let (m, k, n) = (a.rows, a.columns, b.columns);
    let chunk = rows_at_a_time(m, n, nanoseconds);
    let most = depth(k);
    if k == 0 {
        out.fill(T::ZERO);
        return finish.rows(0, out, n);
    }
    let addends = finish.addends(n);
    // However few rows there are: what is kept is packed once for all products.
    let packed = packed.filter(|_| !is_read_in_place(b, usize::MAX));
    let packed = packed.and_then(|packed| {
        let blocks = Blocks::new(b, k, COLUMNS);
        Some((blocks, packed.values(b, blocks)?))
    });
    for j0 in (0..n).step_by(COLUMNS) {
        let columns = COLUMNS.min(n - j0);
        for p0 in (0..k).step_by(most) {
            let depth = most.min(k - p0);
            let is_sum = p0 + depth == k;
            let last = is_sum && j0 + columns == n;
            let addends = if is_sum { &addends[..] } else { &[] };
            let place = (p0..p0 + depth, j0..j0 + columns);
            let packed = packed.map(|(blocks, all)| blocks.right(all, &place.0, &place.1));
            with_panels(b.block(place.0, place.1), packed, m, nanoseconds, |right| {
                parallel::for_each_chunk(out, chunk * n, nanoseconds, |offset, out| {
                    let i0 = offset / n;
                    let left = a.block(i0..i0 + out.len() / n, p0..p0 + depth);
                    let sums = Out {
                        values: &mut *out,
                        stride: n,
                        adds: p0 > 0,
                        addends,
                        first: i0,
                    };
                    block(left, right, (j0, columns), sums);
                    if last {
                        finish.block(offset, out);
                    }
                });
            });
        }
    }
}

/// The number of products, out of `k`, that are added in registers: about [`DEPTH`], and equally many each time.
pub(crate) fn depth(k: usize) -> usize {
    k.div_ceil(k.div_ceil(DEPTH + DEPTH / 4).max(1)).max(1)
}

/// The number of rows of an `m`-by-`n` result that a thread takes at a time: enough chunks for all threads if the work is split, and at
/// most as many rows as the nearest cache can hold, so that they are finished there.
fn rows_at_a_time(m: usize, n: usize, nanoseconds: usize) -> usize {
    let near = NEAR / n;
    let rows = match parallel::is_worth_splitting(nanoseconds) {
        true => near.min(m.div_ceil(8)),
        false => near,
    };
    rows.next_multiple_of(STRIP).clamp(STRIP, 128)
}

/// The nanoseconds that a product of these sizes takes on one thread.
pub(crate) fn cost(m: usize, k: usize, n: usize) -> usize {
    m.saturating_mul(k).saturating_mul(n) / PER_NANOSECOND
}

/// Multiplies some rows of the left operand with the panels. If the left operand is transposed, its rows are copied first.
fn block<T: Number>(a: Matrix<T>, right: Right<T>, columns: (usize, usize), out: Out<T>) {
    fn run<'a, T: Number>(
        a: Matrix<'a, T>,
        left: impl Left<'a, T>,
        right: Right<'a, T>,
        columns: (usize, usize),
        out: Out<'a, T>,
    ) {
        simd::run(Block {
            left,
            height: a.rows,
            depth: a.columns,
            right,
            columns,
            out,
        });
    }
    if a.column_stride == 1 {
        let rows = StridedRows {
            values: a.values,
            stride: a.row_stride,
        };
        run(a, rows, right, columns, out);
    } else if const { T::IS_INTEGER } {
        // Strips are compiled code of their own, and integer products rarely need them.
        scratch::with(a.rows * a.columns, |values| {
            let sizes = (a.rows, a.columns);
            transpose_block(a.values, a.column_stride, values, a.columns, sizes);
            let stride = a.columns;
            run(a, StridedRows { values, stride }, right, columns, out);
        });
    } else {
        with_strips(a, |strips| run(a, strips, right, columns, out));
    }
}
