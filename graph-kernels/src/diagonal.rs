//! Diagonals of the matrices in the last two axes. Diagonal 0 is the main one, positive ones lie above it.

use crate::dispatch::{alike_mut, dispatch, shape_text};
use crate::nest::{Strides, row_major};
use crate::shape::strided;
use crate::{Array, Dims, Element, KernelError};

/// The leading axes, rows and columns of an array of matrices.
fn matrices<'a>(op: &str, shape: &'a [usize]) -> Result<(&'a [usize], usize, usize), KernelError> {
    match shape {
        [batch @ .., rows, columns] => Ok((batch, *rows, *columns)),
        _ => Err(KernelError::Shape(format!(
            "`{op}` takes matrices, not an array of shape {}",
            shape_text(shape)
        ))),
    }
}

/// The number of values on a diagonal of a matrix.
///
/// # Errors
/// `lower_diag_index is out of bound: 2. It must be between -3 and 2`.
pub fn diagonal_len(rows: usize, columns: usize, diagonal: i64) -> Result<usize, KernelError> {
    let away = usize::try_from(diagonal.unsigned_abs()).unwrap_or(usize::MAX);
    let len = if diagonal < 0 {
        rows.checked_sub(away).map(|rows| rows.min(columns))
    } else {
        columns.checked_sub(away).map(|columns| columns.min(rows))
    };
    // A matrix without values has only an empty main diagonal.
    len.filter(|len| *len > 0 || diagonal == 0).ok_or_else(|| {
        KernelError::Value(format!(
            "lower_diag_index is out of bound: {diagonal}. It must be between -{rows} and {columns}"
        ))
    })
}

/// The values of a diagonal of each matrix: `[.., m, n]` -> `[.., len]`.
///
/// # Errors
/// `lower_diag_index is out of bound: 2. It must be between -3 and 2`, or if `x` has less than two axes.
pub fn diag_part(x: &Array, diagonal: i64, out: &mut Array) -> Result<(), KernelError> {
    let (batch, rows, columns) = matrices("diag_part", x.shape())?;
    let len = diagonal_len(rows, columns, diagonal)?;
    let start = diagonal_start(columns, diagonal);
    let mut shape = Dims::from_slice(batch);
    shape.push(len);
    let mut strides: Strides = row_major(x.shape());
    strides.truncate(batch.len());
    strides.push(columns as isize + 1);
    strided(x, if len == 0 { 0 } else { start }, &strides, &shape, out)
}

/// The size of the square matrix with `len` values on a diagonal.
///
/// # Errors
/// If there is no such size.
pub fn diag_size(len: usize, diagonal: i64) -> Result<usize, KernelError> {
    usize::try_from(diagonal.unsigned_abs())
        .ok()
        .and_then(|away| len.checked_add(away))
        .ok_or_else(|| KernelError::Value(format!("there is no diagonal {diagonal}")))
}

/// Square matrices with the values on a diagonal and zeros elsewhere: `[.., n]` -> `[.., size, size]`.
///
/// # Errors
/// If `x` is a scalar, or the matrices would be too large.
pub fn diag(x: &Array, diagonal: i64, out: &mut Array) -> Result<(), KernelError> {
    let Some((len, batch)) = x.shape().split_last() else {
        return Err(KernelError::Shape(
            "`diag` takes an array with at least one axis".to_owned(),
        ));
    };
    let size = diag_size(*len, diagonal)?;
    let mut shape = Dims::from_slice(batch);
    shape.extend([size, size]);
    out.reset(x.dtype(), &shape)?;
    dispatch!(moved x, v => {
        let out = out.reset_like(x, &shape)?;
        out.fill(Default::default());
        write_diagonals(v, *len, (size * size, size), diagonal_start(size, diagonal), out);
        Ok(())
    })
}

/// Writes `len` values to a diagonal of each matrix; a matrix has `size` values, and its diagonal begins at `start`.
fn write_diagonals<T: Element>(
    x: &[T],
    len: usize,
    (size, columns): (usize, usize),
    start: usize,
    out: &mut [T],
) {
    if len == 0 {
        return;
    }
    for (matrix, values) in out.chunks_exact_mut(size).zip(x.chunks_exact(len)) {
        let places = matrix[start..].iter_mut().step_by(columns + 1);
        places.zip(values).for_each(|(o, v)| o.clone_from(v));
    }
}

/// The position in a matrix at which a diagonal begins.
fn diagonal_start(columns: usize, diagonal: i64) -> usize {
    let away = diagonal.unsigned_abs() as usize;
    if diagonal < 0 { away * columns } else { away }
}

/// The matrices `x` `[.., m, n]` with a diagonal replaced by `values` `[.., len]`.
///
/// # Errors
/// If there is no such diagonal, `values` has another length, or the dtypes differ.
pub fn set_diag(
    x: &Array,
    values: &Array,
    diagonal: i64,
    out: &mut Array,
) -> Result<(), KernelError> {
    out.assign(x)?;
    set_diag_in_place(out, values, diagonal)
}

/// [`set_diag`] in place.
///
/// # Errors
/// As [`set_diag`]; `x` is then unchanged.
pub fn set_diag_in_place(x: &mut Array, values: &Array, diagonal: i64) -> Result<(), KernelError> {
    let (batch, rows, columns) = matrices("set_diag", x.shape())?;
    let len = diagonal_len(rows, columns, diagonal)?;
    match values.shape() {
        [leading @ .., own] if leading == batch && *own == len => {}
        other => {
            let (values, whole) = (shape_text(other), shape_text(x.shape()));
            return Err(KernelError::Shape(format!(
                "a diagonal of shape {values} does not fit into matrices of shape {whole}"
            )));
        }
    }
    dispatch!(moved values, v => {
        let out = alike_mut("set_diag", values, x)?;
        write_diagonals(v, len, (rows * columns, columns), diagonal_start(columns, diagonal), out);
        Ok(())
    })
}

/// Each matrix with zeros outside the diagonals `low..=high`.
///
/// # Errors
/// If `x` has less than two axes.
pub fn band_part(x: &Array, low: i64, high: i64, out: &mut Array) -> Result<(), KernelError> {
    let (_, rows, columns) = matrices("band_part", x.shape())?;
    dispatch!(moved x, v => {
        let out = out.reset_like(x, x.shape())?;
        out.clone_from_slice(v);
        clear_outside(out, rows, columns, low, high);
        Ok(())
    })
}

fn clear_outside<T: Element>(out: &mut [T], rows: usize, columns: usize, low: i64, high: i64) {
    if out.is_empty() {
        return;
    }
    let clip = |column: i64| column.clamp(0, columns as i64) as usize;
    for (n, row) in out.chunks_exact_mut(columns).enumerate() {
        let i = (n % rows) as i64;
        let begin = clip(i.saturating_add(low));
        let end = clip(i.saturating_add(high).saturating_add(1));
        row[..begin].fill(T::default());
        row[end.max(begin)..].fill(T::default());
    }
}
