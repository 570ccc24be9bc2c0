//! Which rows of a [list](crate::list_new) can be read.

use crate::dispatch::{int_scalar, shape_text};
use crate::{Array, KernelError};

/// The row shape of a list in which no row was written. No program uses it for rows of its own, and it takes no memory.
pub const NO_SHAPE: [usize; 7] = [0; 7];

pub(crate) fn check_number(list: &Array, i: &Array) -> Result<(), KernelError> {
    let (at, rows) = (int_scalar("list_read", i)?, len(list)?);
    if usize::try_from(at).is_ok_and(|at| at < rows) {
        return Ok(());
    }
    Err(KernelError::Value(format!(
        "Trying to access element {at} in a list with {rows} elements."
    )))
}

/// Checks that the row at the positions was written.
///
/// # Errors
/// As [`list_read`]; or if no row was written yet: then the row of zeros isn't stored anywhere.
pub(crate) fn check_written(list: &Array, positions: &[&Array]) -> Result<(), KernelError> {
    for i in positions {
        check_number(list, i)?;
    }
    if is_open(list) {
        return Err(KernelError::Value("no row was written yet".to_owned()));
    }
    Ok(())
}

/// Whether the list has no row shape yet.
pub(crate) fn is_open(list: &Array) -> bool {
    list.shape()
        .split_first()
        .is_some_and(|(_, row)| *row == NO_SHAPE)
}

/// The number of rows of a list.
pub(crate) fn len(list: &Array) -> Result<usize, KernelError> {
    list.shape().first().copied().ok_or_else(|| not_rows(list))
}

/// The error of a row that doesn't have the shape of a list's rows.
#[cold]
pub(crate) fn unfit(row: &[usize], expected: &[usize]) -> KernelError {
    let (row, expected) = (shape_text(row), shape_text(expected));
    KernelError::Shape(format!(
        "Tried to set a tensor with incompatible shape at a list index. Item element shape: {row} list shape: {expected}"
    ))
}

pub(crate) fn not_rows(array: &Array) -> KernelError {
    let shape = shape_text(array.shape());
    KernelError::Shape(format!(
        "Tensor must be at least a vector, but saw shape: {shape}"
    ))
}
