//! Matrix products. Floats of some size go through `ndarray` to matrixmultiply, with transposes as strides; products with
//! a vector, small ones and integers have loops of their own.

use ndarray::{ArrayView2, ArrayViewMut2, LinalgScalar, ShapeBuilder, linalg::general_mat_mul};

use crate::dispatch::{dispatch, shape_text, typed};
use crate::nest::{Nest, Strides, broadcast_shapes, broadcast_strides};
use crate::number::Number;
use crate::{Array, Buffer, Dims, KernelError};

/// A matrix in row-major values, or the transpose of one: one of the strides is 1.
#[derive(Clone, Copy)]
struct Matrix<'a, T> {
    values: &'a [T],
    rows: usize,
    columns: usize,
    row_stride: usize,
    column_stride: usize,
}

impl<'a, T: Copy> Matrix<'a, T> {
    fn t(self) -> Matrix<'a, T> {
        let Matrix {
            values,
            rows,
            columns,
            row_stride,
            column_stride,
        } = self;
        Matrix {
            values,
            rows: columns,
            columns: rows,
            row_stride: column_stride,
            column_stride: row_stride,
        }
    }

    /// The values of row `i`, which must be contiguous (`column_stride` 1).
    fn row(self, i: usize) -> &'a [T] {
        &self.values[i * self.row_stride..i * self.row_stride + self.columns]
    }
}

/// The last two sizes of an operand, and which way round they are read.
#[derive(Clone, Copy)]
struct Layout {
    rows: usize,
    columns: usize,
    transposed: bool,
}

impl Layout {
    fn of(array: &Array, transposed: bool) -> Result<Layout, KernelError> {
        match *array.shape() {
            [.., rows, columns] => Ok(Layout {
                rows,
                columns,
                transposed,
            }),
            _ => {
                let text = format!(
                    "`matmul` takes operands of rank 2 or more, not of shape {}",
                    shape_text(array.shape())
                );
                Err(KernelError::Shape(text))
            }
        }
    }

    fn size(self) -> usize {
        self.rows * self.columns
    }

    fn matrix<T: Copy>(self, values: &[T]) -> Matrix<'_, T> {
        let Layout {
            rows,
            columns,
            transposed,
        } = self;
        let matrix = Matrix {
            values,
            rows,
            columns,
            row_stride: columns,
            column_stride: 1,
        };
        if transposed { matrix.t() } else { matrix }
    }

    /// The sizes as read: rows and columns.
    fn read(self) -> (usize, usize) {
        if self.transposed {
            (self.columns, self.rows)
        } else {
            (self.rows, self.columns)
        }
    }
}

/// The matrix product over the last two axes, each operand's transposed first if asked; leading axes broadcast.
///
/// # Errors
/// `Matrix size-incompatible: In[0]: [2,3], In[1]: [4,2]`, or if the leading axes don't broadcast, an operand has fewer
/// than two axes, or the dtypes differ or aren't numbers.
pub fn matmul(
    a: &Array,
    b: &Array,
    transpose_a: bool,
    transpose_b: bool,
    out: &mut Array,
) -> Result<(), KernelError> {
    let (mut la, lb) = (Layout::of(a, transpose_a)?, Layout::of(b, transpose_b)?);
    let ((m, k), (k2, n)) = (la.read(), lb.read());
    if k != k2 {
        let (a, b) = (shape_text(a.shape()), shape_text(b.shape()));
        return Err(KernelError::Shape(format!(
            "Matrix size-incompatible: In[0]: {a}, In[1]: {b}"
        )));
    }
    let (batch_a, batch_b) = (&a.shape()[..a.rank() - 2], &b.shape()[..b.rank() - 2]);
    let mut batch = broadcast_shapes(batch_a, batch_b)?;
    let mut shape = batch.clone();
    shape.extend_from_slice(&[m, n]);
    let (mut steps_a, steps_b) = (steps(batch_a, &batch, la), steps(batch_b, &batch, lb));
    if b.rank() == 2 && !transpose_a {
        // One matrix on the right: the batch is only more rows on the left.
        la.rows *= batch.iter().product::<usize>();
        batch = Dims::new();
        steps_a = Strides::new();
    }
    let steps_b = if batch.is_empty() {
        Strides::new()
    } else {
        steps_b
    };
    let product = Product {
        layouts: [la, lb],
        nest: Nest::new(&batch, [&steps_a, &steps_b]),
    };
    match a.buffer() {
        Buffer::F32(x) => product.run(x, typed("matmul", b)?, out.reset_as(&shape), float_product),
        Buffer::F64(x) => product.run(x, typed("matmul", b)?, out.reset_as(&shape), float_product),
        _ => dispatch!(integer "matmul", a, x => {
            product.run(x, typed("matmul", b)?, out.reset_as(&shape), |a, b, out| {
                plain_product(a, b, out);
                Ok(())
            })
        }),
    }
}

/// The strides of an operand's matrices along the axes of the broadcast batch.
fn steps(own: &[usize], batch: &[usize], layout: Layout) -> Strides {
    broadcast_strides(own, batch)
        .into_iter()
        .map(|step| step * layout.size() as isize)
        .collect()
}

/// A batch of matrix products: the layouts of the operands' matrices, and the walk over them.
struct Product {
    layouts: [Layout; 2],
    nest: Nest<2>,
}

impl Product {
    fn run<T: Number>(
        &self,
        a: &[T],
        b: &[T],
        out: &mut [T],
        multiply: impl Fn(Matrix<T>, Matrix<T>, &mut [T]) -> Result<(), KernelError>,
    ) -> Result<(), KernelError> {
        let [la, lb] = self.layouts;
        let mut blocks = out.chunks_exact_mut((la.read().0 * lb.read().1).max(1));
        let mut result = Ok(());
        let single = self.nest.strides.map(|step| step as usize);
        self.nest.for_each([0, 0], |[i, j]| {
            for step in 0..self.nest.inner {
                let Some(block) = blocks.next() else { return };
                let (i, j) = (i + step * single[0], j + step * single[1]);
                let (a, b) = (
                    la.matrix(&a[i..i + la.size()]),
                    lb.matrix(&b[j..j + lb.size()]),
                );
                if result.is_ok() {
                    result = multiply(a, b, block);
                }
            }
        });
        result
    }
}

/// Products of at most this many multiplications are done by plain loops: packing would cost more than it gains.
const SMALL: usize = 1 << 10;

fn float_product<T: Number + LinalgScalar>(
    a: Matrix<T>,
    b: Matrix<T>,
    out: &mut [T],
) -> Result<(), KernelError> {
    let (m, k, n) = (a.rows, a.columns, b.columns);
    if n == 1 {
        matrix_vector(a, b.values, out);
    } else if m == 1 {
        matrix_vector(b.t(), a.values, out);
    } else if m * k * n <= SMALL {
        plain_product(a, b, out);
    } else {
        let wrong = |error: ndarray::ShapeError| KernelError::Shape(error.to_string());
        let view = |x: Matrix<'_, T>| (x.rows, x.columns).strides((x.row_stride, x.column_stride));
        let a = ArrayView2::from_shape(view(a), a.values).map_err(wrong)?;
        let b = ArrayView2::from_shape(view(b), b.values).map_err(wrong)?;
        let mut c = ArrayViewMut2::from_shape((m, n), out).map_err(wrong)?;
        general_mat_mul(T::ONE, &a, &b, T::ZERO, &mut c);
    }
    Ok(())
}

/// `out = a · v`.
fn matrix_vector<T: Number>(a: Matrix<T>, v: &[T], out: &mut [T]) {
    if a.column_stride == 1 {
        for (i, o) in out.iter_mut().enumerate() {
            *o = dot(a.row(i), v);
        }
        return;
    }
    let columns = a.t();
    out.fill(T::ZERO);
    for (p, factor) in v.iter().enumerate() {
        add_scaled(out, *factor, columns.row(p));
    }
}

/// The sum of the products, with several accumulators.
fn dot<T: Number>(a: &[T], b: &[T]) -> T {
    const LANES: usize = 16;
    let mut lanes = [T::ZERO; LANES];
    let (chunks_a, chunks_b) = (a.chunks_exact(LANES), b.chunks_exact(LANES));
    let rest = chunks_a.remainder().iter().zip(chunks_b.remainder());
    let tail = rest.fold(T::ZERO, |sum, (x, y)| sum.add(x.mul(*y)));
    for (x, y) in chunks_a.zip(chunks_b) {
        for (lane, (x, y)) in lanes.iter_mut().zip(x.iter().zip(y)) {
            *lane = lane.add(x.mul(*y));
        }
    }
    lanes.into_iter().fold(tail, T::add)
}

fn add_scaled<T: Number>(out: &mut [T], factor: T, row: &[T]) {
    for (o, v) in out.iter_mut().zip(row) {
        *o = o.add(factor.mul(*v));
    }
}

/// `out = a · b` by loops whose innermost one is contiguous.
fn plain_product<T: Number>(a: Matrix<T>, b: Matrix<T>, out: &mut [T]) {
    if b.columns == 0 {
        return;
    }
    out.fill(T::ZERO);
    for (i, row) in out.chunks_exact_mut(b.columns).enumerate() {
        let factors = (0..a.columns).map(|p| a.values[i * a.row_stride + p * a.column_stride]);
        if b.column_stride == 1 {
            factors
                .enumerate()
                .for_each(|(p, factor)| add_scaled(row, factor, b.row(p)));
        } else {
            for (o, column) in row.iter_mut().zip(b.values.chunks(b.rows.max(1))) {
                *o = factors
                    .clone()
                    .zip(column)
                    .fold(T::ZERO, |sum, (x, y)| sum.add(x.mul(*y)));
            }
        }
    }
}
