//! Matrix products: `blocked` multiplies matrices, `vector` a matrix and a vector, and `tile` is their innermost part. Transposes are
//! strides; leading axes are a batch.

mod block;
mod blocked;
mod matrix;
mod panels;
mod tile;
mod vector;

#[cfg(test)]
mod tests;

pub(crate) use block::{Block, Left, Out};
pub(crate) use blocked::{DEPTH, cost};
pub(crate) use matrix::Matrix;
pub(crate) use panels::{Right, pack_panels, padded, widest};

use half::slice::HalfFloatSliceExt;

use crate::dispatch::{dispatch, shape_text, typed, undefined};
use crate::element::Half;
use crate::nest::{Nest, Strides, broadcast_shapes, broadcast_strides};
use crate::number::Number;
use crate::{Array, Buffer, Dims, Element, KernelError, half_floats, parallel};

/// The last two sizes of an operand, and which way round they are read.
#[derive(Clone, Copy)]
struct Layout {
    rows: usize,
    columns: usize,
    transposed: bool,
}

impl Layout {
    fn of(shape: &[usize], transposed: bool) -> Result<Layout, KernelError> {
        match *shape {
            [.., rows, columns] => Ok(Layout {
                rows,
                columns,
                transposed,
            }),
            _ => {
                let shape = shape_text(shape);
                Err(KernelError::Shape(format!(
                    "`matmul` takes operands of rank 2 or more, not of shape {shape}"
                )))
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
        let matrix = Matrix::new(values, rows, columns);
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
    let transposed = [transpose_a, transpose_b];
    matmul_shaped((a, a.shape()), (b, b.shape()), transposed, out)
}

/// [`matmul`] of arrays that are read in other shapes of the same size.
pub(crate) fn matmul_shaped(
    (a, shape_a): (&Array, &[usize]),
    (b, shape_b): (&Array, &[usize]),
    transposed: [bool; 2],
    out: &mut Array,
) -> Result<(), KernelError> {
    let product = product(shape_a, shape_b, transposed)?;
    match a.buffer() {
        Buffer::F32(x) => product.apply(x, b, out),
        Buffer::F64(x) => product.apply(x, b, out),
        Buffer::F16(x) => product.apply_widened(x, b, out),
        Buffer::BF16(x) => product.apply_widened(x, b, out),
        _ => dispatch!(integer "matmul", a, x => product.apply(x, b, out)),
    }
}

/// How the product of two operands goes.
fn product(a: &[usize], b: &[usize], transposed: [bool; 2]) -> Result<Product, KernelError> {
    let (mut la, lb) = (Layout::of(a, transposed[0])?, Layout::of(b, transposed[1])?);
    let ((m, k), (k2, n)) = (la.read(), lb.read());
    if k != k2 {
        let (a, b) = (shape_text(a), shape_text(b));
        return Err(KernelError::Shape(format!(
            "Matrix size-incompatible: In[0]: {a}, In[1]: {b}"
        )));
    }
    let (batch_a, batch_b) = (&a[..a.len() - 2], &b[..b.len() - 2]);
    let mut shape = broadcast_shapes(batch_a, batch_b)?;
    let nest = if batch_b.is_empty() && !transposed[0] {
        // One matrix on the right: the batch is only more rows on the left.
        la.rows = shape
            .iter()
            .fold(la.rows, |rows, n| rows.saturating_mul(*n));
        Nest::new(&[], [&[], &[]])
    } else {
        let steps = [steps(batch_a, &shape, la), steps(batch_b, &shape, lb)];
        Nest::new(&shape, [&steps[0], &steps[1]])
    };
    shape.extend_from_slice(&[m, n]);
    Ok(Product {
        layouts: [la, lb],
        nest,
        shape,
    })
}

/// The strides of an operand's matrices along the axes of the broadcast batch.
fn steps(own: &[usize], batch: &[usize], layout: Layout) -> Strides {
    broadcast_strides(own, batch)
        .into_iter()
        .map(|step| step * layout.size() as isize)
        .collect()
}

/// A function of the offset of the first value in the whole result, and rows.
pub(crate) type RowsFunction<'a, T> = dyn Fn(usize, &mut [T]) + Sync + 'a;

/// What is done with rows of the result while they are in cache.
#[derive(Clone, Copy)]
pub(crate) struct Finish<'a, T> {
    rows: Option<&'a RowsFunction<'a, T>>,
    /// The offset of this product in the whole result.
    start: usize,
}

impl<'a, T> Finish<'a, T> {
    /// Calls a function for the rows of each block.
    #[cfg_attr(not(test), allow(dead_code, reason = "fused products are being built"))]
    pub fn new(rows: &'a RowsFunction<'a, T>) -> Finish<'a, T> {
        Finish {
            rows: Some(rows),
            start: 0,
        }
    }

    /// Nothing.
    pub const NOTHING: Finish<'a, T> = Finish {
        rows: None,
        start: 0,
    };

    /// For the product whose result begins at an offset.
    fn at(self, start: usize) -> Self {
        Finish { start, ..self }
    }

    /// Takes rows that are done, which begin at an offset in this product's result.
    fn block(self, offset: usize, rows: &mut [T]) {
        if let Some(f) = self.rows {
            f(self.start + offset, rows);
        }
    }
}

/// A batch of matrix products: the layouts of the operands' matrices, and the walk over them.
struct Product {
    layouts: [Layout; 2],
    nest: Nest<2>,
    shape: Dims,
}

impl Product {
    /// The product of typed values and an operand of the same dtype.
    fn apply<T: Number>(&self, a: &[T], b: &Array, out: &mut Array) -> Result<(), KernelError> {
        let b = typed("matmul", b)?;
        self.run(a, b, self.output(out)?, Finish::NOTHING);
        Ok(())
    }

    /// The product of typed values and an operand of the same dtype, in `f32`: each sum is rounded once.
    fn apply_widened<T: Half>(&self, a: &[T], b: &Array, out: &mut Array) -> Result<(), KernelError>
    where
        [T]: HalfFloatSliceExt,
    {
        let b = typed::<T>("matmul", b)?;
        let out = self.output::<T>(out)?;
        half_floats::with([a, b], out, |[a, b], out| {
            self.run(a, b, out, Finish::NOTHING);
        });
        Ok(())
    }

    /// The output, resized for the result.
    fn output<'a, T: Element>(&self, out: &'a mut Array) -> Result<&'a mut [T], KernelError> {
        out.try_reset(T::DTYPE, &self.shape)?;
        let undefined = || undefined("matmul", T::DTYPE);
        out.values_mut().ok_or_else(undefined)
    }

    fn run<T: Number>(&self, a: &[T], b: &[T], out: &mut [T], finish: Finish<T>) {
        let [la, lb] = self.layouts;
        if out.is_empty() {
            return;
        }
        let ((m, k), (_, n)) = (la.read(), lb.read());
        let each = blocked::cost(m, k, n);
        let count = out.len() / (m * n);
        if count == 1 {
            return multiply(la.matrix(a), lb.matrix(b), out, finish, each);
        }
        // Either the batch is split over threads or each of its products.
        let (whole, each) = match count {
            ..8 => (0, each),
            _ => (each.saturating_mul(count), 0),
        };
        let inner = self.nest.inner;
        let steps = self.nest.strides.map(|step| step as usize);
        let rows = self.nest.offsets([0, 0]).zip(out.chunks_mut(inner * m * n));
        let blocks = rows.enumerate().flat_map(|(row, (starts, out))| {
            let matrices = out.chunks_mut(m * n).enumerate();
            matrices.map(move |(i, out)| {
                let at = [0, 1].map(|x| starts[x] + i * steps[x]);
                ((row * inner + i) * m * n, at, out)
            })
        });
        parallel::for_each(blocks, whole, |(offset, [i, j], out)| {
            let a = la.matrix(&a[i..i + la.size()]);
            let b = lb.matrix(&b[j..j + lb.size()]);
            multiply(a, b, out, finish.at(offset), each);
        });
    }
}

/// `out = a · b`, then `finish` on its rows.
fn multiply<T: Number>(
    a: Matrix<T>,
    b: Matrix<T>,
    out: &mut [T],
    finish: Finish<T>,
    nanoseconds: usize,
) {
    if b.columns == 1 {
        vector::matrix_vector(a, b.values, out);
        finish.block(0, out);
    } else if a.rows == 1 {
        vector::matrix_vector(b.t(), a.values, out);
        finish.block(0, out);
    } else {
        blocked::product(a, b, out, finish, nanoseconds);
    }
}

/// `out = a · b`, as a part of work that is split over threads already.
pub(crate) fn plain_product<T: Number>(a: Matrix<T>, b: Matrix<T>, out: &mut [T]) {
    multiply(a, b, out, Finish::NOTHING, 0);
}
