//! Products of a matrix and a vector. They take as long as reading the matrix from memory, so nothing is packed.
//!
//! A vector times a matrix that isn't transposed is summed in the order of [`blocked`](super::blocked). It gives the same bits as a row
//! of a larger left operand, so passes may combine the products of many vectors into one.

use super::blocked::depth;
use super::matrix::Matrix;
use super::tile::{add_products, add_scaled};
use crate::number::Number;
use crate::simd::MulAdd;
use crate::simd::{Kernel, Level};
use crate::{parallel, scratch, simd};

/// The number of partial sums of a dot product: four registers of AVX-512.
const WIDE: usize = 64;
/// The number of partial sums for values that don't fill [`WIDE`].
const NARROW: usize = 16;
/// The number of rows of a matrix in memory that are added to the sums at a time: as many streams as a CPU prefetches.
const GROUP: usize = 8;
/// A matrix with up to this many values stays in a near cache when it is multiplied repeatedly. Then all its rows are one group, whose
/// sums stay in registers.
const NEAR: usize = 1 << 14;
/// The number of values that are read from memory in a nanosecond.
const PER_NANOSECOND: usize = 4;
/// The number of multiplications for a chunk of the output; it has no effect on the result.
const CHUNK: usize = 1 << 17;

/// `out = a · v`.
#[inline(always)]
pub(super) fn matrix_vector<T: Number>(a: Matrix<T>, v: &[T], out: &mut [T]) {
    let products = a.rows * a.columns;
    if products <= CHUNK {
        // One chunk, on this thread.
        return part(a, v, out);
    }
    let chunk = (CHUNK / a.columns.max(1)).next_multiple_of(WIDE);
    parallel::for_each_chunk(out, chunk, products / PER_NANOSECOND, |start, out| {
        part(a.block(start..start + out.len(), 0..a.columns), v, out);
    });
}

/// `out = a · v` on this thread.
#[inline(always)]
fn part<T: Number>(a: Matrix<T>, v: &[T], out: &mut [T]) {
    if a.column_stride == 1 {
        simd::run(Dots { a, v, out });
    } else {
        combination(a.t(), v, out);
    }
}

/// The sum of the rows, each multiplied by its factor in `v`.
#[inline(always)]
fn combination<T: Number>(rows: Matrix<T>, v: &[T], out: &mut [T]) {
    let most = depth(v.len());
    let part = |start: usize, out: &mut [T]| {
        let v = &v[start..v.len().min(start + most)];
        let rows = rows.block(start..start + v.len(), 0..rows.columns);
        out.fill(T::ZERO);
        simd::run(Combination { rows, v, out });
    };
    part(0, out);
    if most < v.len() {
        scratch::with(out.len(), |sums| {
            for start in (most..v.len()).step_by(most) {
                part(start, sums);
                out.iter_mut().zip(&*sums).for_each(|(o, v)| *o = o.add(*v));
            }
        });
    }
}

/// The dot product of each row of `a` with `v`.
struct Dots<'a, T> {
    a: Matrix<'a, T>,
    v: &'a [T],
    out: &'a mut [T],
}

impl<T: Number> Kernel for Dots<'_, T> {
    type Output = ();
    const UP_TO: Level = T::UP_TO;

    #[inline(always)]
    fn run<M: MulAdd>(self) {
        let Dots { a, v, out } = self;
        for (i, o) in out.iter_mut().enumerate() {
            *o = dot::<T, M>(&a.values[i * a.row_stride..i * a.row_stride + a.columns], v);
        }
    }
}

/// The dot product: [`WIDE`] partial sums, whose halves are then added repeatedly.
#[inline(always)]
fn dot<T: Number, M: MulAdd>(a: &[T], b: &[T]) -> T {
    let mut narrow = [T::ZERO; NARROW];
    let (wide_a, rest_a) = a.as_chunks::<WIDE>();
    let (wide_b, rest_b) = b.as_chunks::<WIDE>();
    if !wide_a.is_empty() {
        let mut wide = [T::ZERO; WIDE];
        for (a, b) in wide_a.iter().zip(wide_b) {
            wide = add_products::<T, M, WIDE>(&wide, a, b);
        }
        for j in 0..NARROW {
            let [a, b, c, d] = [0, 1, 2, 3].map(|n| wide[n * NARROW + j]);
            narrow[j] = a.add(b).add(c.add(d));
        }
    }
    let (narrow_a, rest_a) = rest_a.as_chunks::<NARROW>();
    let (narrow_b, rest_b) = rest_b.as_chunks::<NARROW>();
    for (a, b) in narrow_a.iter().zip(narrow_b) {
        narrow = add_products::<T, M, NARROW>(&narrow, a, b);
    }
    let rest = rest_a.iter().zip(rest_b);
    let rest = rest.fold(T::ZERO, |sum, (a, b)| a.mul_add::<M>(*b, sum));
    if a.len() < NARROW {
        return rest;
    }
    let mut half = NARROW / 2;
    while half > 0 {
        (0..half).for_each(|j| narrow[j] = narrow[j].add(narrow[j + half]));
        half /= 2;
    }
    narrow[0].add(rest)
}

/// Adds the rows, each multiplied by its factor in `v`, to the sums.
struct Combination<'a, T> {
    rows: Matrix<'a, T>,
    v: &'a [T],
    out: &'a mut [T],
}

impl<T: Number> Kernel for Combination<'_, T> {
    type Output = ();
    const UP_TO: Level = T::UP_TO;

    #[inline(always)]
    fn run<M: MulAdd>(self) {
        let Combination { rows, v, out } = self;
        let is_near = rows.rows * rows.columns <= NEAR;
        let height = if is_near { v.len().max(1) } else { GROUP };
        for (group, factors) in v.chunks(height).enumerate() {
            let start = group * height * rows.row_stride;
            let rows = Group {
                values: &rows.values[start..],
                stride: rows.row_stride,
                factors,
            };
            let mut at = 0;
            // With four registers of sums each addition waits for the one before, with eight it doesn't. Other levels have too few.
            if const { M::PANEL >= Level::Avx512.panel() } {
                rows.columns::<M, { 2 * WIDE }>(&mut at, out);
            }
            rows.columns::<M, WIDE>(&mut at, out);
            rows.columns::<M, 32>(&mut at, out);
            rows.columns::<M, NARROW>(&mut at, out);
            rows.columns::<M, 4>(&mut at, out);
            rows.columns::<M, 1>(&mut at, out);
        }
    }
}

/// A few rows and their factors.
struct Group<'a, T> {
    values: &'a [T],
    stride: usize,
    factors: &'a [T],
}

impl<T: Number> Group<'_, T> {
    /// Adds `W` columns at a time while at least `W` are left from `at` on; advances `at`.
    #[inline(always)]
    fn columns<M: MulAdd, const W: usize>(&self, at: &mut usize, out: &mut [T]) {
        while let Some(out) = out[*at..].first_chunk_mut::<W>() {
            self.add_to::<M, W>(*at, out);
            *at += W;
        }
    }

    /// Adds the columns from `at` on, row by row.
    #[inline(always)]
    fn add_to<M: MulAdd, const W: usize>(&self, at: usize, out: &mut [T; W]) {
        let rows = self.values.get(at..).unwrap_or_default();
        let mut sums = *out;
        for (row, factor) in rows.chunks(self.stride).zip(self.factors) {
            // The last row of a matrix may be too short if its rows are longer than these columns.
            let Some(row) = row.first_chunk::<W>() else {
                break;
            };
            sums = add_scaled::<T, M, W>(&sums, *factor, row);
        }
        *out = sums;
    }
}
