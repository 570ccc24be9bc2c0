//! Linear algebra.

use graph_kernels as kernels;

use super::Attrs;
use super::rules::{Inferred, broadcast, check_class, check_same_dtype, operands, unequal};
use super::table::op_table;
use crate::types::{Dim, Shape, TensorType};

op_table! {
    MATMUL "matmul" ["transpose_a", "transpose_b"]: matmul(),
        (|x, a, out| kernels::matmul(x[0], x[1], a.bool("transpose_a")?, a.bool("transpose_b")?, out)),
        product (|x, a, behind, out| kernels::matmul_then(x, [a.bool("transpose_a")?, a.bool("transpose_b")?], behind, out)), fails OnShapes, tf "BatchMatMulV2", onnx "MatMul",
        "The matrix product [.., m, k] x [.., k, n] -> [.., m, n]; leading axes broadcast.";
    SOLVE "solve" ["adjoint"]: solve(), (|x, a, out| kernels::solve(x[0], x[1], a.bool("adjoint")?, out)), fails OnValues, tf "MatrixSolve",
        "The x with a x = b, or (adjoint) with the transpose of a: [.., n, n] and [.., n, k] -> [.., n, k]; leading axes broadcast.";
}

fn solve(op: &str, types: &[TensorType], attrs: &Attrs) -> Inferred {
    let [a, b] = operands(op, types)?;
    check_same_dtype(op, a, b)?;
    check_class(op, graph_kernels::DType::is_float, a.dtype)?;
    attrs.bool("adjoint")?;
    let (left, right) = (matrix(op, &a.shape, false)?, matrix(op, &b.shape, false)?);
    let (Some((batch_a, n, m)), Some((batch_b, rows, columns))) = (left, right) else {
        return Ok(TensorType::new(a.dtype, Shape::unknown()));
    };
    let mut sizes = [n, m, rows].into_iter().flatten();
    let size = sizes.next();
    if sizes.any(|other| Some(other) != size) {
        return Err(format!(
            "`{op}` takes square matrices and right sides with as many rows, not {} and {}",
            a.shape, b.shape
        ));
    }
    let batch = broadcast(op, &batch_a, &batch_b)?;
    let dims = batch.dims().unwrap_or_default().iter().copied();
    Ok(TensorType::new(
        a.dtype,
        Shape::of(dims.chain([size, columns])),
    ))
}

fn matmul(op: &str, types: &[TensorType], attrs: &Attrs) -> Inferred {
    let [a, b] = operands(op, types)?;
    check_same_dtype(op, a, b)?;
    check_class(op, graph_kernels::DType::is_number, a.dtype)?;
    let (transpose_a, transpose_b) = (attrs.bool("transpose_a")?, attrs.bool("transpose_b")?);
    let left = matrix(op, &a.shape, transpose_a)?;
    let right = matrix(op, &b.shape, transpose_b)?;
    let (Some((batch_a, m, k)), Some((batch_b, k2, n))) = (left, right) else {
        return Ok(TensorType::new(a.dtype, Shape::unknown()));
    };
    if let (Some(k), Some(k2)) = (k, k2)
        && k != k2
    {
        return Err(unequal(op, (k, k2), (&a.shape, &b.shape)));
    }
    let batch = broadcast(op, &batch_a, &batch_b)?;
    let dims = batch.dims().unwrap_or_default().iter().copied();
    Ok(TensorType::new(a.dtype, Shape::of(dims.chain([m, n]))))
}

/// The leading axes and the two sizes of the matrices, after transposition if `transposed`; `None` if the rank is unknown.
fn matrix(op: &str, shape: &Shape, transposed: bool) -> Result<Option<(Shape, Dim, Dim)>, String> {
    match shape.dims() {
        None => Ok(None),
        Some([batch @ .., rows, columns]) => {
            let (rows, columns) = if transposed {
                (columns, rows)
            } else {
                (rows, columns)
            };
            Ok(Some((Shape::of(batch.iter().copied()), *rows, *columns)))
        }
        Some(_) => Err(format!(
            "`{op}` takes operands of rank 2 or more, not of shape {shape}"
        )),
    }
}
