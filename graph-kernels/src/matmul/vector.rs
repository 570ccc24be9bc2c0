//! Products of a matrix and a vector, which take as long as the matrix takes to come from memory. Nothing is packed.

use super::matrix::Matrix;
use super::tile::add_scaled;
use crate::math::MulAdd;
use crate::number::Number;
use crate::simd::Kernel;
use crate::{parallel, simd};

/// The sums that a dot product is taken in; four registers of AVX-512.
const WIDE: usize = 64;
/// The sums for what doesn't fill [`WIDE`].
const NARROW: usize = 16;
/// How many rows are added to a row of sums at a time.
const GROUP: usize = 8;
/// Values that come from memory in a nanosecond.
const PER_NANOSECOND: usize = 4;
/// The multiplications in a chunk of the output; of no effect on the result.
const CHUNK: usize = 1 << 17;

/// `out = a · v`.
pub(super) fn matrix_vector<T: Number>(a: Matrix<T>, v: &[T], out: &mut [T]) {
    let nanoseconds = a.rows * a.columns / PER_NANOSECOND;
    let chunk = (CHUNK / a.columns.max(1)).next_multiple_of(WIDE);
    parallel::for_each_chunk(out, chunk, nanoseconds, |start, out| {
        let a = a.block(start..start + out.len(), 0..a.columns);
        if a.column_stride == 1 {
            simd::run(Dots { a, v, out });
        } else {
            simd::run(Combination {
                rows: a.t(),
                v,
                out,
            });
        }
    });
}

/// A dot product with `v` for each row of `a`.
struct Dots<'a, T> {
    a: Matrix<'a, T>,
    v: &'a [T],
    out: &'a mut [T],
}

impl<T: Number> Kernel for Dots<'_, T> {
    type Output = ();

    #[inline(always)]
    fn run<M: MulAdd>(self) {
        let Dots { a, v, out } = self;
        for (i, o) in out.iter_mut().enumerate() {
            *o = dot::<T, M>(&a.values[i * a.row_stride..i * a.row_stride + a.columns], v);
        }
    }
}

/// The sum of the products: [`WIDE`] sums side by side, which then are added by halves.
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

/// `sums + a * b`, value by value.
#[inline(always)]
fn add_products<T: Number, M: MulAdd, const W: usize>(
    sums: &[T; W],
    a: &[T; W],
    b: &[T; W],
) -> [T; W] {
    let mut result = [T::ZERO; W];
    for j in 0..W {
        result[j] = a[j].mul_add::<M>(b[j], sums[j]);
    }
    result
}

/// The sum of the rows, each times its factor in `v`.
struct Combination<'a, T> {
    rows: Matrix<'a, T>,
    v: &'a [T],
    out: &'a mut [T],
}

impl<T: Number> Kernel for Combination<'_, T> {
    type Output = ();

    #[inline(always)]
    fn run<M: MulAdd>(self) {
        let Combination { rows, v, out } = self;
        out.fill(T::ZERO);
        for (group, factors) in v.chunks(GROUP).enumerate() {
            let start = group * GROUP * rows.row_stride;
            let rows = Group {
                values: &rows.values[start..],
                stride: rows.row_stride,
                factors,
            };
            let (wide, rest) = out.as_chunks_mut::<WIDE>();
            let at = wide.len() * WIDE;
            for (j, out) in wide.iter_mut().enumerate() {
                rows.add_to::<M, WIDE>(j * WIDE, out);
            }
            let (narrow, rest) = rest.as_chunks_mut::<NARROW>();
            for (j, out) in narrow.iter_mut().enumerate() {
                rows.add_to::<M, NARROW>(at + j * NARROW, out);
            }
            let at = at + narrow.len() * NARROW;
            for (j, o) in rest.iter_mut().enumerate() {
                rows.add_to::<M, 1>(at + j, std::array::from_mut(o));
            }
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
    /// Adds the columns from `at` on.
    #[inline(always)]
    fn add_to<M: MulAdd, const W: usize>(&self, at: usize, out: &mut [T; W]) {
        let mut sums = *out;
        for (i, factor) in self.factors.iter().enumerate() {
            if let Some(row) = self.values[i * self.stride + at..].first_chunk::<W>() {
                sums = add_scaled::<T, M, W>(&sums, *factor, row);
            }
        }
        *out = sums;
    }
}
