//! Systems of linear equations, by LU decomposition with partial pivoting, as LAPACK's `gesv`. Large matrices are decomposed in blocks, so that
//! most of the work is a matrix product. `bench/SOLVE.md` has what it takes, beside libraries.

use crate::dispatch::{shape_text, typed, undefined};
use crate::matmul::{Matrix, plain_product};
use crate::nest::{Nest, Strides, broadcast_shapes, broadcast_strides};
use crate::number::Number;
use crate::widened::{self, Widened};
use crate::{Array, Buffer, Dims, Element, KernelError, scratch};

/// So many columns are decomposed before the rest of the matrix is updated.
const BLOCK: usize = 32;

/// The `x` with `a · x = b`, or `aᵀ · x = b` if `adjoint`: `[.., n, n]` and `[.., n, k]` give `[.., n, k]`; leading axes broadcast.
///
/// # Errors
/// If a matrix is singular; or if the matrices aren't square, don't fit each other, or aren't of one dtype of floats.
pub fn solve(a: &Array, b: &Array, adjoint: bool, out: &mut Array) -> Result<(), KernelError> {
    let systems = Systems::new(a.shape(), b.shape(), adjoint)?;
    let mut shape = systems.batch.clone();
    shape.extend([systems.n, systems.columns]);
    out.reset(a.dtype(), &shape)?;
    match a.buffer() {
        Buffer::F32(a) => systems.typed(a, b, out),
        Buffer::F64(a) => systems.typed(a, b, out),
        Buffer::F16(a) => systems.widened(a, b, out),
        Buffer::BF16(a) => systems.widened(a, b, out),
        other => Err(undefined("solve", other.dtype())),
    }
}

/// The sizes of one or several systems of equations.
struct Systems {
    n: usize,
    columns: usize,
    batch: Dims,
    /// The strides of the operands along the axes of the batch.
    steps: [Strides; 2],
    adjoint: bool,
}

impl Systems {
    fn new(a: &[usize], b: &[usize], adjoint: bool) -> Result<Systems, KernelError> {
        let ([batch_a @ .., n, m], [batch_b @ .., rows, columns]) = (a, b) else {
            return Err(unfit(a, b));
        };
        if n != m || n != rows {
            return Err(unfit(a, b));
        }
        let batch = broadcast_shapes(batch_a, batch_b)?;
        let steps = [(batch_a, n * n), (batch_b, n * columns)].map(|(own, size)| {
            let steps = broadcast_strides(own, &batch);
            steps.into_iter().map(|step| step * size as isize).collect()
        });
        Ok(Systems {
            n: *n,
            columns: *columns,
            batch,
            steps,
            adjoint,
        })
    }

    fn typed<T: Number>(&self, a: &[T], b: &Array, out: &mut Array) -> Result<(), KernelError> {
        self.run(a, typed("solve", b)?, written(out)?)
    }

    fn widened<T: Widened>(&self, a: &[T], b: &Array, out: &mut Array) -> Result<(), KernelError> {
        let (b, out) = (typed::<T>("solve", b)?, written(out)?);
        let mut done = Ok(());
        widened::with([a, b], out, |[a, b], out| done = self.run(a, b, out));
        done
    }

    fn run<T: Number>(&self, a: &[T], b: &[T], out: &mut [T]) -> Result<(), KernelError> {
        if out.is_empty() {
            return Ok(());
        }
        let (n, size) = (self.n, self.n * self.columns);
        let nest = Nest::new(&self.batch, [&self.steps[0], &self.steps[1]]);
        let steps = nest.strides.map(|step| step as usize);
        let starts = nest.offsets([0, 0]).flat_map(|starts| {
            (0..nest.inner).map(move |i| [0, 1].map(|x| starts[x] + i * steps[x]))
        });
        scratch::with(n * n, |lu: &mut [T]| {
            scratch::with(n, |swaps: &mut [usize]| {
                let mut decomposed = None;
                for (number, ([i, j], x)) in starts.zip(out.chunks_exact_mut(size)).enumerate() {
                    if decomposed != Some(i) {
                        copy(&a[i..i + n * n], n, self.adjoint, lu);
                        decompose(lu, n, swaps).ok_or_else(|| self.singular(number))?;
                        decomposed = Some(i);
                    }
                    x.copy_from_slice(&b[j..j + size]);
                    substitute(lu, n, swaps, x, self.columns);
                }
                Ok(())
            })
        })
    }

    fn singular(&self, number: usize) -> KernelError {
        let which = match self.batch.len() {
            0 => "the matrix".to_owned(),
            _ => format!("matrix {number} of the batch"),
        };
        singular(&which)
    }
}

/// The error of a system whose matrix has no inverse. `which` names the matrix.
#[cold]
pub fn singular(which: &str) -> KernelError {
    KernelError::Value(format!("{which} is singular, so it has no inverse"))
}

/// The error of operands that don't fit.
#[cold]
fn unfit(a: &[usize], b: &[usize]) -> KernelError {
    let (a, b) = (shape_text(a), shape_text(b));
    KernelError::Shape(format!(
        "`solve` takes square matrices and right sides with as many rows, not {a} and {b}"
    ))
}

/// The values of the output, which has the operands' dtype.
fn written<T: Element>(out: &mut Array) -> Result<&mut [T], KernelError> {
    out.values_mut().ok_or_else(|| undefined("solve", T::DTYPE))
}

fn copy<T: Copy>(a: &[T], n: usize, transposed: bool, out: &mut [T]) {
    if !transposed {
        return out.copy_from_slice(a);
    }
    for (i, row) in out.chunks_exact_mut(n).enumerate() {
        let column = a[i..].iter().step_by(n);
        row.iter_mut().zip(column).for_each(|(o, v)| *o = *v);
    }
}

/// Replaces a matrix of `n` rows by the factors of its rows in another order: below the diagonal the left one, whose diagonal is 1, and the
/// right one above. Row `i` was exchanged with row `swaps[i]`, first to last. `None` if a pivot is 0.
fn decompose<T: Number>(a: &mut [T], n: usize, swaps: &mut [usize]) -> Option<()> {
    for begin in (0..n).step_by(BLOCK) {
        let end = (begin + BLOCK).min(n);
        for k in begin..end {
            let pivot = pivot(a, n, k);
            if a[pivot * n + k] == T::ZERO {
                return None;
            }
            swaps[k] = pivot;
            exchange(a, n, k, pivot);
            eliminate(a, n, k, end);
        }
        for k in begin..end {
            for i in k + 1..end {
                let factor = a[i * n + k];
                let (upper, lower) = a.split_at_mut(i * n);
                subtract(&mut lower[end..n], factor, &upper[k * n + end..][..n - end]);
            }
        }
        update(a, n, begin, end);
    }
    Some(())
}

/// The row from `k` on with the largest value in column `k`.
fn pivot<T: Number>(a: &[T], n: usize, k: usize) -> usize {
    let size = |i: usize| a[i * n + k].abs();
    (k + 1..n).fold(k, |best, i| if size(i) > size(best) { i } else { best })
}

fn exchange<T>(rows: &mut [T], columns: usize, i: usize, j: usize) {
    if i < j {
        let (upper, lower) = rows.split_at_mut(j * columns);
        upper[i * columns..][..columns].swap_with_slice(&mut lower[..columns]);
    }
}

/// Subtracts multiples of row `k` from the rows below it, in the columns before `end`.
fn eliminate<T: Number>(a: &mut [T], n: usize, k: usize, end: usize) {
    let (upper, lower) = a.split_at_mut((k + 1) * n);
    let row = &upper[k * n..];
    for other in lower.chunks_exact_mut(n) {
        other[k] = other[k].div(row[k]);
        let factor = other[k];
        subtract(&mut other[k + 1..end], factor, &row[k + 1..end]);
    }
}

/// `x -= factor * y`.
fn subtract<T: Number>(x: &mut [T], factor: T, y: &[T]) {
    let pairs = x.iter_mut().zip(y);
    pairs.for_each(|(x, y)| *x = x.sub(factor.mul(*y)));
}

/// Subtracts what the columns from `begin` to `end` do to the rest of the matrix: the product of the part of the left factor and of the right one.
fn update<T: Number>(a: &mut [T], n: usize, begin: usize, end: usize) {
    let (rest, depth) = (n - end, end - begin);
    if rest == 0 {
        return;
    }
    scratch::with(2 * rest * depth + rest * rest, |space: &mut [T]| {
        let (left, space) = space.split_at_mut(rest * depth);
        let (right, product) = space.split_at_mut(depth * rest);
        for (to, row) in left
            .chunks_exact_mut(depth)
            .zip(a[end * n..].chunks_exact(n))
        {
            to.copy_from_slice(&row[begin..end]);
        }
        for (to, row) in right
            .chunks_exact_mut(rest)
            .zip(a[begin * n..].chunks_exact(n))
        {
            to.copy_from_slice(&row[end..]);
        }
        let [left, right] = [
            Matrix::new(left, rest, depth),
            Matrix::new(right, depth, rest),
        ];
        plain_product(left, right, product);
        let rows = a[end * n..].chunks_exact_mut(n);
        for (row, product) in rows.zip(product.chunks_exact(rest)) {
            subtract(&mut row[end..], T::ONE, product);
        }
    });
}

/// Replaces right sides by the solutions: with the left factor from the first row to the last, then with the right one back.
fn substitute<T: Number>(lu: &[T], n: usize, swaps: &[usize], x: &mut [T], columns: usize) {
    for (k, pivot) in swaps.iter().enumerate() {
        exchange(x, columns, k, *pivot);
    }
    for i in 0..n {
        let (above, below) = x.split_at_mut(i * columns);
        for (factor, row) in lu[i * n..].iter().zip(above.chunks_exact(columns)) {
            subtract(&mut below[..columns], *factor, row);
        }
    }
    for i in (0..n).rev() {
        let (above, below) = x.split_at_mut((i + 1) * columns);
        let (own, diagonal) = (&mut above[i * columns..], lu[i * n + i]);
        for (factor, row) in lu[i * n + i + 1..].iter().zip(below.chunks_exact(columns)) {
            subtract(own, *factor, row);
        }
        own.iter_mut().for_each(|v| *v = v.div(diagonal));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A matrix with small integers, whose products are exact; the diagonal is large enough for it to be regular, in another order of its rows.
    fn regular(n: usize) -> Vec<f64> {
        let mut state = 7u64;
        let mut next = || {
            state = state
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            (state >> 60) as f64 - 8.0
        };
        let mut a = vec![0.0; n * n];
        for i in 0..n {
            let row = (i * 7 + 3) % n;
            for j in 0..n {
                a[row * n + j] = next() + if i == j { 16.0 * n as f64 } else { 0.0 };
            }
        }
        a
    }

    fn product(a: &[f64], x: &[f64], n: usize, columns: usize, transposed: bool) -> Vec<f64> {
        let at = |i, j| {
            if transposed {
                a[j * n + i]
            } else {
                a[i * n + j]
            }
        };
        let places = (0..n).flat_map(|i| (0..columns).map(move |c| (i, c)));
        let sum = |(i, c)| (0..n).map(|k| at(i, k) * x[k * columns + c]).sum();
        places.map(sum).collect()
    }

    #[test]
    fn the_solution_is_what_the_right_side_was_made_of() {
        // On both sides of one block and of several; 7 and these have no factor in common.
        for (n, columns) in [(1, 1), (2, 3), (5, 1), (31, 2), (32, 1), (33, 4), (97, 3)] {
            for adjoint in [false, true] {
                let x: Vec<f64> = (0..n * columns).map(|i| (i % 13) as f64 - 6.0).collect();
                let a = regular(n);
                let b = product(&a, &x, n, columns, adjoint);
                let (a, b) = (Array::new(&[n, n], a), Array::new(&[n, columns], b));
                let mut out = Array::default();
                solve(&a, &b, adjoint, &mut out).unwrap();
                let found = out.values::<f64>().unwrap();
                for (found, x) in found.iter().zip(&x) {
                    assert!(
                        (found - x).abs() < 1e-11,
                        "{found} is {x} of {n}, {columns}"
                    );
                }
            }
        }
    }

    #[test]
    fn leading_axes_broadcast() {
        let a = Array::new(&[2, 1, 1, 1], vec![2f32, 4.0]);
        let b = Array::new(&[3, 1, 1], vec![8f32, 16.0, 24.0]);
        let mut out = Array::default();
        solve(&a, &b, false, &mut out).unwrap();
        let expected = vec![4f32, 8.0, 12.0, 2.0, 4.0, 6.0];
        assert_eq!(out, Array::new(&[2, 3, 1, 1], expected));
    }

    #[test]
    fn a_singular_matrix_is_named() {
        let mut out = Array::default();
        let a = Array::new(&[2, 2, 2], vec![1f32, 0.0, 0.0, 1.0, 1.0, 2.0, 2.0, 4.0]);
        let b = Array::new(&[2, 1], vec![1f32, 1.0]);
        let error = solve(&a, &b, false, &mut out).unwrap_err().to_string();
        assert_eq!(
            error,
            "matrix 1 of the batch is singular, so it has no inverse"
        );
    }
}
