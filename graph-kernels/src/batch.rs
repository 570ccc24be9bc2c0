//! Batching of dataset elements: takes one row out of an array, and stacks arrays or rows into a batch.

use crate::array::same_shape;
use crate::dispatch::{dispatch, shape_text, undefined};
use crate::{Array, Element, KernelError};

/// An array, or one row of an array along its first axis.
#[derive(Clone, Copy, Debug)]
pub struct ArrayOrRow<'a> {
    /// The array.
    pub array: &'a Array,
    /// The index of the row, or `None` for the whole array.
    pub row: Option<usize>,
}

impl<'a> ArrayOrRow<'a> {
    /// Its shape: the array's, without the first axis if it is a row.
    pub fn shape(&self) -> &'a [usize] {
        &self.array.shape()[usize::from(self.row.is_some())..]
    }

    fn values<T: Element>(&self) -> Option<&'a [T]> {
        let values = self.array.stored::<T>()?;
        let Some(row) = self.row else {
            return Some(values);
        };
        let len: usize = self.shape().iter().product();
        values.get(row * len..(row + 1) * len)
    }
}

/// Copies an array or a row into an array of its own.
///
/// # Errors
/// If there is no such row.
pub fn copy_array_or_row(one: ArrayOrRow<'_>, out: &mut Array) -> Result<(), KernelError> {
    dispatch!(moved one.array, values => typed(values, one, out, |out, values| {
        out.reset_like(one.array, one.shape())?.clone_from_slice(values);
        Ok(())
    }))
}

/// Calls `f` with the values of an array or a row.
fn typed<T: Element>(
    _: &[T],
    one: ArrayOrRow<'_>,
    out: &mut Array,
    f: impl FnOnce(&mut Array, &[T]) -> Result<(), KernelError>,
) -> Result<(), KernelError> {
    let missing = || KernelError::Value("the array has no such row".to_owned());
    f(out, one.values().ok_or_else(missing)?)
}

/// Stacks `count` arrays or rows of one dtype and shape along a new first axis. Only the allocation of `out` is reused, not its former contents.
///
/// # Errors
/// If they differ in dtype or shape; `component` is the number of the component that they are of their elements, for the message.
pub fn batch<'a>(
    component: usize,
    all: impl Iterator<Item = ArrayOrRow<'a>> + Clone,
    count: usize,
    out: &mut Array,
) -> Result<(), KernelError> {
    let Some(first) = all.clone().next() else {
        return Err(KernelError::Shape("a batch of no elements".to_owned()));
    };
    let mut shape = crate::Dims::from_slice(&[count]);
    shape.extend_from_slice(first.shape());
    let other = all
        .clone()
        .position(|one| !same_shape(one.shape(), first.shape()));
    if let Some(position) = other {
        let shape = all
            .clone()
            .nth(position)
            .map_or(first.shape(), |p| p.shape());
        return Err(KernelError::Shape(format!(
            "Cannot batch tensors with different shapes in component {component}. First element had shape {} and element {position} \
             had shape {}.",
            shape_text(first.shape()),
            shape_text(shape)
        )));
    }
    dispatch!(moved first.array, values => gather(values, first.array, all, &shape, out))
}

fn gather<'a, T: Element>(
    _: &[T],
    like: &Array,
    all: impl Iterator<Item = ArrayOrRow<'a>>,
    shape: &[usize],
    out: &mut Array,
) -> Result<(), KernelError> {
    let row: usize = shape[1..].iter().product();
    let values = out.reset_like::<T>(like, shape)?;
    for (n, one) in all.enumerate() {
        let from = one
            .values::<T>()
            .filter(|_| one.array.dtype() == like.dtype())
            .ok_or_else(|| undefined("batch", one.array.dtype()))?;
        values[n * row..(n + 1) * row].clone_from_slice(from);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(array: &Array, row: usize) -> ArrayOrRow<'_> {
        ArrayOrRow {
            array,
            row: Some(row),
        }
    }

    #[test]
    fn rows_and_whole_arrays_are_put_together() {
        let matrix = Array::new(&[3, 2], vec![1, 2, 3, 4, 5, 6]);
        let vector = Array::new(&[2], vec![7, 8]);
        let whole = ArrayOrRow {
            array: &vector,
            row: None,
        };
        let mut out = Array::default();
        let all = [row(&matrix, 2), whole, row(&matrix, 0)];
        batch(0, all.into_iter(), 3, &mut out).unwrap();
        assert_eq!(out, Array::new(&[3, 2], vec![5, 6, 7, 8, 1, 2]));
        copy_array_or_row(row(&matrix, 1), &mut out).unwrap();
        assert_eq!(out, vector_of(&[3, 4]));
        assert!(copy_array_or_row(row(&matrix, 3), &mut out).is_err());
    }

    fn vector_of(values: &[i32]) -> Array {
        Array::new(&[values.len()], values.to_vec())
    }

    #[test]
    fn parts_of_different_types_are_refused() {
        let (two, three) = (vector_of(&[1, 2]), vector_of(&[1, 2, 3]));
        let all = [&two, &three].map(|array| ArrayOrRow { array, row: None });
        let mut out = Array::default();
        let error = batch(1, all.into_iter(), 2, &mut out).unwrap_err();
        assert_eq!(
            error.to_string(),
            "Cannot batch tensors with different shapes in component 1. First element had shape [2] and element 1 had shape [3]."
        );
        let floats = Array::new(&[2], vec![1.0f32, 2.0]);
        let all = [&two, &floats].map(|array| ArrayOrRow { array, row: None });
        assert!(batch(0, all.into_iter(), 2, &mut out).is_err());
    }
}
