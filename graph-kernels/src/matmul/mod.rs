//! Matrix products: `blocked` multiplies matrices, `vector` a matrix and a vector, and `tile` is their innermost part. Transposes are
//! strides; leading axes are a batch.

mod addend;
mod behind;
mod block;
mod blocked;
mod bound;
mod matrix;
mod narrow;
mod packed;
mod panels;
mod strips;
mod tile;
mod vector;

#[cfg(test)]
pub(crate) mod tests;

pub use behind::Behind;
pub(crate) use behind::Finish;
pub(crate) use block::{Block, Left, Out};
pub(crate) use blocked::{cost, depth};
pub(crate) use bound::BoundProduct;
pub(crate) use matrix::Matrix;
pub use packed::Packed;
pub(crate) use packed::{Blocks, with_blocks};
pub(crate) use panels::{Right, widest, with_panels};
pub(crate) use tile::{ROWS, add_products, zipped};

use crate::dispatch::{shape_text, typed, undefined};
use crate::nest::{Nest, Strides, broadcast_shapes, broadcast_strides};
use crate::number::Number;
use crate::widened::Widened;
use crate::{Array, Buffer, DType, Element, KernelError, cast, parallel, widened};

/// The last two sizes of an operand, and whether it is read transposed.
#[derive(Clone, Copy, Debug)]
struct Layout {
    rows: usize,
    columns: usize,
    transposed: bool,
}

impl Layout {
    #[inline]
    fn size(self) -> usize {
        self.rows * self.columns
    }

    #[inline]
    fn matrix<T: Copy>(self, values: &[T]) -> Matrix<'_, T> {
        let Layout {
            rows,
            columns,
            transposed,
        } = self;
        let matrix = Matrix::new(values, rows, columns);
        if transposed { matrix.t() } else { matrix }
    }

    /// The nanoseconds that the product with another matrix takes on one thread.
    #[inline]
    fn cost(self, right: Layout) -> usize {
        let ((m, k), (_, n)) = (self.read(), right.read());
        blocked::cost(m, k, n)
    }

    /// The sizes after transposition: rows and columns.
    #[inline]
    fn read(self) -> (usize, usize) {
        if self.transposed {
            (self.columns, self.rows)
        } else {
            (self.rows, self.columns)
        }
    }
}

/// The matrix product over the last two axes; each operand may be transposed first. Leading axes broadcast.
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

/// [`matmul`] of arrays that are read under other shapes of the same size.
pub(crate) fn matmul_shaped(
    (a, shape_a): (&Array, &[usize]),
    (b, shape_b): (&Array, &[usize]),
    transposed: [bool; 2],
    out: &mut Array,
) -> Result<(), KernelError> {
    let product = Product::new(shape_a, shape_b, transposed)?;
    product.reset(a.dtype(), out)?;
    product.write(a, b, out, &Finish::NOTHING)
}

/// [`matmul`], then a program in place. If its result has the shape and dtype of the product, the program runs on some rows at a time, while
/// they are in cache. The inputs that the program expects to be added (see [`Program::behind_sums`](crate::Program::behind_sums)) are added to the product before it is
/// written.
///
/// # Errors
/// As [`matmul`] and [`Program::run`](crate::Program::run); or if an added input has neither the product's shape nor that of one of its rows.
///
/// ```
/// # use graph_kernels::{Array, Behind, DType, ElementOp, Operand, Program, Step, matmul_then};
/// # use smallvec::smallvec;
/// let add = Step { op: ElementOp::Add.into(), operands: smallvec![Operand::Input(0), Operand::Input(1)] };
/// let program = Program::new(&[DType::F32; 2], &[add])?;
/// let (x, bias) = (Array::new(&[2, 2], vec![1f32, 2.0, 3.0, 4.0]), Array::new(&[2], vec![10f32, 20.0]));
/// let mut out = Array::default();
/// matmul_then([&x, &x], [false, true], Behind::program(&program, &[None, Some(&bias)]), &mut out)?;
/// assert_eq!(out, Array::new(&[2, 2], vec![15f32, 31.0, 21.0, 45.0]));
/// # Ok::<(), graph_kernels::KernelError>(())
/// ```
pub fn matmul_then(
    [a, b]: [&Array; 2],
    transposed: [bool; 2],
    behind: Behind,
    out: &mut Array,
) -> Result<(), KernelError> {
    let mut product = Product::new(a.shape(), b.shape(), transposed)?;
    product.packed = behind.packed;
    product.reset(a.dtype(), out)?;
    behind.run(out, |out, finish| product.write(a, b, out, finish))
}

/// The strides from matrix to matrix of an operand along the axes of the broadcast batch.
fn steps(own: &[usize], batch: &[usize], layout: Layout) -> Strides {
    broadcast_strides(own, batch)
        .into_iter()
        .map(|step| step * layout.size() as isize)
        .collect()
}

/// One matrix product or a batch of them: the layouts of the operands' matrices, and their leading axes.
#[derive(Clone, Copy, Debug)]
struct Product<'a> {
    layouts: [Layout; 2],
    batches: [&'a [usize]; 2],
    /// The packed form of the right operand, if it is kept.
    packed: Option<&'a Packed>,
}

impl<'a> Product<'a> {
    /// Constructed in place, field by field: returning it through memory would stall on store forwarding.
    #[inline(always)]
    fn new(
        a: &'a [usize],
        b: &'a [usize],
        transposed: [bool; 2],
    ) -> Result<Product<'a>, KernelError> {
        let ([batch_a @ .., rows_a, columns_a], [batch_b @ .., rows_b, columns_b]) = (a, b) else {
            return Err(no_matrices(a, b));
        };
        let layout = |rows: &usize, columns: &usize, transposed| Layout {
            rows: *rows,
            columns: *columns,
            transposed,
        };
        let layouts = [
            layout(rows_a, columns_a, transposed[0]),
            layout(rows_b, columns_b, transposed[1]),
        ];
        if layouts[0].read().1 != layouts[1].read().0 {
            let (a, b) = (shape_text(a), shape_text(b));
            return Err(KernelError::Shape(format!(
                "Matrix size-incompatible: In[0]: {a}, In[1]: {b}"
            )));
        }
        Ok(Product {
            layouts,
            batches: [batch_a, batch_b],
            packed: None,
        })
    }

    /// Resizes the output for the result.
    #[inline]
    fn reset(&self, dtype: DType, out: &mut Array) -> Result<(), KernelError> {
        let [(m, _), (_, n)] = self.layouts.map(Layout::read);
        match self.batches {
            [[], []] => out.reset(dtype, &[m, n]),
            [a, b] => {
                let mut shape = broadcast_shapes(a, b)?;
                shape.extend_from_slice(&[m, n]);
                out.reset(dtype, &shape)
            }
        }
    }

    /// Writes the product of two arrays of one dtype; the output has its size already.
    #[inline]
    fn write(
        &self,
        a: &Array,
        b: &Array,
        out: &mut Array,
        finish: &Finish,
    ) -> Result<(), KernelError> {
        match a.buffer() {
            Buffer::F32(x) => self.typed(x, b, out, finish),
            Buffer::F64(x) => self.typed(x, b, out, finish),
            Buffer::F16(x) => self.widened(x, b, out, finish),
            Buffer::BF16(x) => self.widened(x, b, out, finish),
            Buffer::I32(x) => self.typed(x, b, out, finish),
            Buffer::I64(x) => self.typed(x, b, out, finish),
            Buffer::U8(_) => self.in_wider(a, b, out, finish),
            other if widened::is_rare(other.dtype()) => self.in_wider(a, b, out, finish),
            other => Err(undefined("matmul", other.dtype())),
        }
    }

    #[inline]
    fn typed<T: Number>(
        &self,
        a: &[T],
        b: &Array,
        out: &mut Array,
        finish: &Finish,
    ) -> Result<(), KernelError> {
        let b = typed("matmul", b)?;
        self.run(a, b, written(out)?, finish);
        Ok(())
    }

    /// The product in a wider type; each sum is rounded once.
    fn widened<T: Widened>(
        &self,
        a: &[T],
        b: &Array,
        out: &mut Array,
        finish: &Finish,
    ) -> Result<(), KernelError> {
        let (b, out) = (typed::<T>("matmul", b)?, written(out)?);
        widened::with([a, b], out, |[a, b], out| {
            self.run(a, b, out, &Finish::NOTHING);
        });
        finish.block(0, out);
        Ok(())
    }

    /// The product of integers converted to `int32`, or, if they have more than 16 bits, to `int64`; the low bits are stored.
    fn in_wider(
        &self,
        a: &Array,
        b: &Array,
        out: &mut Array,
        finish: &Finish,
    ) -> Result<(), KernelError> {
        let dtype = out.dtype();
        if b.dtype() != dtype {
            let given = b.dtype();
            let text = format!("`matmul` takes an operand of {dtype}, not {given}");
            return Err(KernelError::DType(text));
        }
        let wide = if dtype.bytes() <= 2 {
            DType::I32
        } else {
            DType::I64
        };
        let widened = |x: &Array| {
            let mut widened = Array::default();
            cast(x, wide, &mut widened).map(|()| widened)
        };
        let (a, b) = (widened(a)?, widened(b)?);
        let mut product = Array::zeros(wide, out.shape());
        self.write(&a, &b, &mut product, &Finish::NOTHING)?;
        cast(&product, dtype, out)?;
        finish.array(out);
        Ok(())
    }

    #[inline]
    fn run<T: Number>(&self, a: &[T], b: &[T], out: &mut [T], finish: &Finish) {
        let [mut la, lb] = self.layouts;
        if out.is_empty() {
            return;
        }
        let [batch_a, batch_b] = self.batches;
        if batch_b.is_empty() && (batch_a.is_empty() || !la.transposed) {
            // There is one matrix on the right, so the batch is just more rows on the left.
            la.rows *= batch_a.iter().product::<usize>();
            let (a, b) = (la.matrix(a), lb.matrix(b));
            multiply(a, b, self.packed, out, finish, la.cost(lb));
        } else if let Ok(batch) = broadcast_shapes(batch_a, batch_b) {
            let steps = [steps(batch_a, &batch, la), steps(batch_b, &batch, lb)];
            let nest = Nest::new(&batch, [&steps[0], &steps[1]]);
            self.run_batch([a, b], &nest, out, finish);
        }
    }

    fn run_batch<T: Number>(
        &self,
        [a, b]: [&[T]; 2],
        nest: &Nest<2>,
        out: &mut [T],
        finish: &Finish,
    ) {
        let [la, lb] = self.layouts;
        let (each, size) = (la.cost(lb), la.read().0 * lb.read().1);
        // Either the batch is split over threads, or each of its products is.
        let (whole, each) = match out.len() / size {
            ..8 => (0, each),
            count => (each.saturating_mul(count), 0),
        };
        let inner = nest.inner;
        let steps = nest.strides.map(|step| step as usize);
        let rows = nest.offsets([0, 0]).zip(out.chunks_mut(inner * size));
        let blocks = rows.enumerate().flat_map(|(row, (starts, out))| {
            let matrices = out.chunks_mut(size).enumerate();
            matrices.map(move |(i, out)| {
                let at = [0, 1].map(|x| starts[x] + i * steps[x]);
                ((row * inner + i) * size, at, out)
            })
        });
        parallel::for_each(blocks, whole, |(offset, [i, j], out)| {
            let a = la.matrix(&a[i..i + la.size()]);
            let b = lb.matrix(&b[j..j + lb.size()]);
            multiply(a, b, None, out, &finish.at(offset), each);
        });
    }
}

/// The values of the output, which has the operands' dtype.
fn written<T: Element>(out: &mut Array) -> Result<&mut [T], KernelError> {
    out.values_mut()
        .ok_or_else(|| undefined("matmul", T::DTYPE))
}

/// The error if an operand has less than two axes.
#[cold]
fn no_matrices(a: &[usize], b: &[usize]) -> KernelError {
    let shape = shape_text(if a.len() < 2 { a } else { b });
    KernelError::Shape(format!(
        "`matmul` takes operands of rank 2 or more, not of shape {shape}"
    ))
}

/// `out = a · b`, then `finish` on its rows. Inlined like all callers: arguments passed through memory would stall on store forwarding.
#[inline(always)]
fn multiply<T: Number>(
    a: Matrix<T>,
    b: Matrix<T>,
    packed: Option<&Packed>,
    out: &mut [T],
    finish: &Finish,
    nanoseconds: usize,
) {
    if b.columns == 1 {
        vector::matrix_vector(a, b.values, out);
        finish.rows(0, out, 1);
    } else if a.rows == 1 {
        vector::matrix_vector(b.t(), a.values, out);
        finish.rows(0, out, b.columns);
    } else if !narrow::product(a, b, out, finish, nanoseconds) {
        blocked::product(a, b, packed, out, finish, nanoseconds);
    }
}

/// `out = a · b` on this thread, as part of work that is already split over threads.
pub(crate) fn plain_product<T: Number>(a: Matrix<T>, b: Matrix<T>, out: &mut [T]) {
    multiply(a, b, None, out, &Finish::NOTHING, 0);
}
