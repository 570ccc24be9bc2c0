//! Lists of rows of one shape: what TensorFlow calls a tensor list, as one array `[n, ..]` of all rows.
//!
//! A list in which no row was written has no row shape yet; [`NO_SHAPE`] marks that. The first row that is written sets the shape, and
//! the rows that are still unwritten become zeros. Errors are in TensorFlow's words.

use crate::dispatch::{alike_mut, dispatch, int_scalar, shape_text, undefined};
use crate::indices::int_vector;
use crate::written::{NO_SHAPE, check_number, is_open, len, not_rows, unfit};
use crate::{Array, DType, Dims, Element, ElementOp, KernelError, elementwise, index};

/// A list of `size` rows: zeros of the given shape, or without a shape yet.
///
/// # Errors
/// If the size isn't an integer scalar or is negative, or there is no memory for the rows.
pub fn list_new(
    size: &Array,
    dtype: DType,
    row: Option<&[usize]>,
    out: &mut Array,
) -> Result<(), KernelError> {
    let size = int_scalar("list_new", size)?;
    let size = usize::try_from(size).map_err(|_| {
        KernelError::Value(format!(
            "The size of a list must be non-negative, got {size}"
        ))
    })?;
    zeros(dtype, &with_rows(size, row.unwrap_or(&NO_SHAPE)), out)
}

/// A copy of the list whose row `i` is `row`; with `grows`, rows are added if `i` is beyond the end.
///
/// # Errors
/// `Trying to modify element 7 in a list with 3 elements.`, or if the row is of another dtype or shape than the list's.
pub fn list_write(
    list: &Array,
    i: &Array,
    row: &Array,
    grows: bool,
    out: &mut Array,
) -> Result<(), KernelError> {
    out.assign(list)?;
    list_write_in_place(out, i, row, grows)
}

/// [`list_write`] in place: only the row and the added rows are written.
///
/// # Errors
/// As [`list_write`]; the list is then unchanged.
pub fn list_write_in_place(
    list: &mut Array,
    i: &Array,
    row: &Array,
    grows: bool,
) -> Result<(), KernelError> {
    let i = int_scalar("list_write", i)?;
    make_room(list, i, row.dtype(), row.shape(), grows)?;
    dispatch!(moved row, values => write(list, i as usize, row, values))
}

/// A copy of the list with rows written at the given positions, in order.
///
/// # Errors
/// As [`list_write`], or `Expected len(indices) == tensor.shape[0], but saw: 2 vs. 3`.
pub fn list_scatter(
    list: &Array,
    indices: &Array,
    rows: &Array,
    grows: bool,
    out: &mut Array,
) -> Result<(), KernelError> {
    out.assign(list)?;
    list_scatter_in_place(out, indices, rows, grows)
}

/// [`list_scatter`] in place.
///
/// # Errors
/// As [`list_scatter`].
pub fn list_scatter_in_place(
    list: &mut Array,
    indices: &Array,
    rows: &Array,
    grows: bool,
) -> Result<(), KernelError> {
    let Some((count, row)) = rows.shape().split_first() else {
        return Err(not_rows(rows));
    };
    let indices = int_vector("list_scatter", indices)?;
    if indices.len() != *count {
        let indices = indices.len();
        return Err(KernelError::Shape(format!(
            "Expected len(indices) == tensor.shape[0], but saw: {indices} vs. {count}"
        )));
    }
    let size: usize = row.iter().product();
    for (n, i) in indices.into_iter().enumerate() {
        make_room(list, i, rows.dtype(), row, grows)?;
        dispatch!(moved rows, values => {
            write(list, i as usize, rows, &values[n * size..(n + 1) * size])
        })?;
    }
    Ok(())
}

/// A copy of the list of scalars with the values of `x` appended.
///
/// # Errors
/// If the list isn't a vector of the dtype of `x`, or there is no memory for it.
pub fn list_extend(list: &Array, x: &Array, out: &mut Array) -> Result<(), KernelError> {
    out.assign(list)?;
    list_extend_in_place(out, x)
}

/// [`list_extend`] in place: only the new values are written.
///
/// # Errors
/// As [`list_extend`]; the list is then unchanged.
pub fn list_extend_in_place(list: &mut Array, x: &Array) -> Result<(), KernelError> {
    let [rows] = list.shape() else {
        let shape = shape_text(list.shape());
        return Err(KernelError::Shape(format!(
            "`list_extend` takes a vector, not an array of shape {shape}"
        )));
    };
    if list.dtype() != x.dtype() {
        return Err(undefined("list_extend", x.dtype()));
    }
    let (rows, sum) = (*rows, rows.checked_add(x.len()));
    let sum = sum.ok_or_else(|| KernelError::Shape("the list is too large".to_owned()))?;
    list.try_resize(&[sum])?;
    dispatch!(moved x, values => {
        alike_mut("list_extend", x, list)?[rows..].clone_from_slice(values);
        Ok(())
    })
}

/// Row `i` of the list. If no row was written yet, it is zeros of the given shape.
///
/// # Errors
/// `Trying to access element 7 in a list with 3 elements.`, or if no row was written and the shape isn't given.
pub fn list_read(
    list: &Array,
    i: &Array,
    row: Option<&[usize]>,
    out: &mut Array,
) -> Result<(), KernelError> {
    check_number(list, i)?;
    match row {
        _ if !is_open(list) => index(list, &[i], out),
        Some(row) => zeros(list.dtype(), row, out),
        None => Err(KernelError::Value(
            "Trying to read an uninitialized tensor but element_shape is not fully defined: <unknown> and no list element is set."
                .to_owned(),
        )),
    }
}

/// All rows, `[n, ..]`. If no row was written yet, they are zeros of the given shape. For a list without rows, unknown sizes of the shape
/// become 0, and an unknown shape gives `[0]`.
///
/// # Errors
/// If there are rows, none was written, and the shape isn't given in full.
pub fn list_rows(
    list: &Array,
    row: Option<&[Option<usize>]>,
    out: &mut Array,
) -> Result<(), KernelError> {
    out.assign(list)?;
    list_rows_in_place(out, row)
}

/// [`list_rows`] in place.
///
/// # Errors
/// As [`list_rows`].
pub fn list_rows_in_place(
    list: &mut Array,
    row: Option<&[Option<usize>]>,
) -> Result<(), KernelError> {
    let rows = len(list)?;
    if !is_open(list) {
        return Ok(());
    }
    if rows == 0 {
        let sizes = row.unwrap_or_default().iter();
        let row: Dims = sizes.map(|size| size.unwrap_or(0)).collect();
        return list.try_resize(&with_rows(0, &row));
    }
    match row.and_then(|row| row.iter().copied().collect::<Option<Dims>>()) {
        Some(row) => zeros(list.dtype(), &with_rows(rows, &row), list),
        None => Err(KernelError::Value(
            "Tried to stack list which only contains uninitialized tensors and has a non-fully-defined element_shape: <unknown>"
                .to_owned(),
        )),
    }
}

/// The rows of the list joined along their first axis: `[n, m, ..]` to `[n * m, ..]`.
///
/// # Errors
/// If the rows are scalars.
pub fn list_concat(list: &Array, out: &mut Array) -> Result<(), KernelError> {
    out.assign(list)?;
    list_concat_in_place(out)
}

/// [`list_concat`] in place.
///
/// # Errors
/// As [`list_concat`].
pub fn list_concat_in_place(list: &mut Array) -> Result<(), KernelError> {
    let [rows, first, rest @ ..] = list.shape() else {
        return Err(KernelError::Shape(
            "Concat saw a scalar shape at index 0 but requires at least vectors.".to_owned(),
        ));
    };
    let joined = rows.checked_mul(*first).ok_or_else(|| {
        KernelError::Value(format!(
            "an array of {rows} times {first} rows is too large"
        ))
    })?;
    let shape = with_rows(joined, rest);
    list.try_resize(&shape)
}

/// The sum of two arrays of one shape. If one operand is a list without a row shape, the result is the other.
///
/// # Errors
/// If the shapes don't fit, or the dtypes.
pub fn list_add(a: &Array, b: &Array, out: &mut Array) -> Result<(), KernelError> {
    match (is_open(a), is_open(b)) {
        (false, false) => elementwise(ElementOp::Add, &[a, b], out)?,
        (true, _) => out.assign(b)?,
        (false, true) => out.assign(a)?,
    }
    Ok(())
}

fn with_rows(rows: usize, row: &[usize]) -> Dims {
    std::iter::once(rows).chain(row.iter().copied()).collect()
}

fn zeros(dtype: DType, shape: &[usize], out: &mut Array) -> Result<(), KernelError> {
    out.reset(dtype, &[0])?;
    out.try_resize(shape)
}

/// Makes sure that a row of this dtype and shape can be written at `i`: sets the row shape and adds rows where needed.
fn make_room(
    list: &mut Array,
    i: i64,
    dtype: DType,
    row: &[usize],
    grows: bool,
) -> Result<(), KernelError> {
    let rows = len(list)?;
    let needed = usize::try_from(i).ok().and_then(|i| i.checked_add(1));
    let Some(needed) = needed.filter(|needed| grows || *needed <= rows) else {
        return Err(KernelError::Value(format!(
            "Trying to modify element {i} in a list with {rows} elements."
        )));
    };
    if list.dtype() != dtype {
        return Err(undefined("list_write", dtype));
    }
    let fits = list.shape()[1..] == *row;
    if !fits && !is_open(list) {
        return Err(unfit(row, &list.shape()[1..]));
    }
    // Added rows are zeros. A list without a row shape has no values, so nothing old can be left over.
    if !fits || needed > rows {
        list.try_resize(&with_rows(needed.max(rows), row))?;
    }
    Ok(())
}

/// Writes a row into existing room; both have the dtype of `like`.
fn write<T: Element>(
    list: &mut Array,
    i: usize,
    like: &Array,
    row: &[T],
) -> Result<(), KernelError> {
    let values = alike_mut::<T>("list_write", like, list)?;
    values[i * row.len()..(i + 1) * row.len()].clone_from_slice(row);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(i: i32) -> Array {
        Array::scalar(i)
    }

    #[test]
    fn values_of_any_shape_go_behind_the_list() {
        let mut list = Array::zeros(DType::F32, &[0]);
        let x = Array::new(&[2, 2], vec![1.0f32, 2.0, 3.0, 4.0]);
        list_extend_in_place(&mut list, &x).unwrap();
        list_extend_in_place(&mut list, &Array::scalar(5.0f32)).unwrap();
        let expected = Array::new(&[5], vec![1.0f32, 2.0, 3.0, 4.0, 5.0]);
        assert_eq!(list, expected);
        assert!(list_extend_in_place(&mut list, &at(1)).is_err());
        assert!(list_extend_in_place(&mut Array::scalar(1.0f32), &x).is_err());
        assert_eq!(list, expected);
    }

    #[test]
    fn a_list_without_rows_is_nothing_in_a_sum() {
        let open = Array::zeros(DType::F32, &with_rows(2, &NO_SHAPE));
        let list = Array::new(&[2], vec![1.0f32, 2.0]);
        let sum = |a, b| {
            let mut sum = Array::default();
            list_add(a, b, &mut sum).map(|()| sum)
        };
        assert_eq!(sum(&open, &list).unwrap(), list);
        assert_eq!(sum(&list, &open).unwrap(), list);
        assert_eq!(sum(&open, &open).unwrap(), open);
        assert_eq!(
            sum(&list, &list).unwrap(),
            Array::new(&[2], vec![2.0f32, 4.0])
        );
        assert!(sum(&list, &Array::zeros(DType::F32, &[3])).is_err());
    }

    #[test]
    fn the_first_row_gives_all_rows_their_shape() {
        let mut list = Array::default();
        list_new(&at(3), DType::I32, None, &mut list).unwrap();
        let row = Array::new(&[2], vec![1, 2]);
        list_write_in_place(&mut list, &at(1), &row, false).unwrap();
        assert_eq!(list, Array::new(&[3, 2], vec![0, 0, 1, 2, 0, 0]));
        let error = list_write_in_place(&mut list, &at(1), &at(5), false).unwrap_err();
        assert!(
            error
                .to_string()
                .ends_with("Item element shape: [] list shape: [2]")
        );
        assert!(
            list_write_in_place(&mut list, &at(1), &Array::new(&[2], vec![1.0, 2.0]), false)
                .is_err()
        );
    }

    #[test]
    fn a_list_grows_by_zeros_and_keeps_its_rows() {
        let mut list = Array::default();
        list_new(&at(0), DType::Str, None, &mut list).unwrap();
        let text = |text: &str| Array::scalar(text.to_owned());
        list_write_in_place(&mut list, &at(1), &text("a"), true).unwrap();
        list_write_in_place(&mut list, &at(3), &text("b"), true).unwrap();
        let expected = ["", "a", "", "b"].map(str::to_owned);
        assert_eq!(list, Array::new(&[4], expected.to_vec()));
        for (i, grows) in [(-1, true), (-1, false), (4, false)] {
            let error = list_write_in_place(&mut list, &at(i), &text("c"), grows).unwrap_err();
            let words = format!("Trying to modify element {i} in a list with 4 elements.");
            assert_eq!(error.to_string(), words);
        }
    }

    #[test]
    fn a_list_that_would_be_too_large_is_an_error() {
        let mut list = Array::default();
        let huge = Array::scalar(i64::MAX);
        assert!(list_new(&huge, DType::F64, Some(&[2]), &mut list).is_err());
        assert!(list_new(&at(-1), DType::F64, None, &mut list).is_err());
        list_new(&huge, DType::F64, None, &mut list).unwrap();
        assert!(list_write_in_place(&mut list, &at(0), &Array::scalar(1.0), false).is_err());
        list_new(&at(0), DType::F64, Some(&[]), &mut list).unwrap();
        assert!(list_write_in_place(&mut list, &huge, &Array::scalar(1.0), true).is_err());
    }
}
