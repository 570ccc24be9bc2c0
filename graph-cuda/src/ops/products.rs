//! Products of matrices.

use graph_kernels::DType;

use super::{Call, Outcome, Run, Trouble};
use crate::kernels::{Kernels, MOST_IN_BATCH, Matrix, Product, Then, View};
use crate::value::Tensor;

pub const OPS: &[(&str, Run)] = &[("matmul", matmul)];

/// A tensor as matrices: the steps inside of each, and the steps from one to the next over the axes of the result's batch.
fn matrix<'a>(x: &'a Tensor, transposed: bool, batch: &[usize]) -> Result<Matrix<'a>, Trouble> {
    let Some(inner) = x.shape.len().checked_sub(2) else {
        return Err(Trouble::NoKernel("an operand is no matrix"));
    };
    let own = View::of(&x.shape);
    let mut repeated = View::broadcast(&x.shape[..inner], batch);
    // The view of the leading axes counts matrices.
    let size: usize = x.shape[inner..].iter().product();
    for stride in &mut repeated.strides {
        *stride *= size as i64;
    }
    let [row, column] = [own.strides[inner] as u64, own.strides[inner + 1] as u64];
    let (row, column) = if transposed {
        (column, row)
    } else {
        (row, column)
    };
    Ok(Matrix {
        buffer: x.buffer()?,
        row,
        column,
        batch: repeated,
    })
}

fn matmul(kernels: &Kernels, call: &Call<'_>) -> Outcome {
    let product = product(call)?;
    kernels.result(call.dtype, call.shape()?, |out| {
        Ok(kernels.product(out, product)?)
    })
}

/// A product whose elements go through a chain before they are stored.
///
/// # Errors
/// If there is no kernel for the product, or if the driver fails.
pub fn matmul_then(kernels: &Kernels, call: &Call<'_>, then: Then<'_>) -> Outcome {
    let (product, dtype) = (product(call)?, then.dtype);
    kernels.result(dtype, call.shape()?, |out| {
        Ok(kernels.product_then(out, product, Some(then))?)
    })
}

/// The product that a call asks for.
fn product<'a>(call: &'a Call<'_>) -> Result<Product<'a>, Trouble> {
    let [x, y] = call.all()?;
    let [batch @ .., rows, columns] = call.shape()? else {
        return Err(Trouble::NoKernel("the result is no matrix"));
    };
    let transposed = [
        call.attrs.bool("transpose_a")?,
        call.attrs.bool("transpose_b")?,
    ];
    let depth_axis = x.shape.len() - if transposed[0] { 2 } else { 1 };
    let depth = x.shape[depth_axis];
    if batch.iter().product::<usize>() > MOST_IN_BATCH {
        return Err(Trouble::NoKernel("the batch is too large"));
    }
    if call.dtype == DType::Bool {
        return Err(Trouble::NoKernel("truth values have no products"));
    }
    Ok(Product {
        dtype: call.dtype,
        batch,
        rows: *rows,
        columns: *columns,
        depth,
        left: matrix(x, transposed[0], batch)?,
        right: matrix(y, transposed[1], batch)?,
    })
}
