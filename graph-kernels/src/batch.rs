//! Batching of dataset elements: takes one row out of an array, and stacks arrays or rows into a batch.

use crate::array::same_shape;
use crate::dispatch::{dispatch, shape_text, undefined};
use crate::{Array, Element, KernelError};

/// An array, or one row of an array along its first axis.
#[derive(Clone, Copy, Debug)]
pub struct Part<'a> {
    /// The array.
    pub array: &'a Array,
    /// The index of the row, or `None` for the whole array.
    pub row: Option<usize>,
}

impl<'a> Part<'a> {
    /// The shape of the part: the array's, without the first axis if the part is a row.
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

/// Copies a part into an array of its own.
///
/// # Errors
/// If there is no such row.
pub fn copy_part(part: Part<'_>, out: &mut Array) -> Result<(), KernelError> {
    dispatch!(moved part.array, values => typed(values, part, out, |out, values| {
        out.reset_like(part.array, part.shape())?.clone_from_slice(values);
        Ok(())
    }))
}

/// Calls `f` with a part's values.
fn typed<T: Element>(
    _: &[T],
    part: Part<'_>,
    out: &mut Array,
    f: impl FnOnce(&mut Array, &[T]) -> Result<(), KernelError>,
) -> Result<(), KernelError> {
    let missing = || KernelError::Value("the array has no such row".to_owned());
    f(out, part.values().ok_or_else(missing)?)
}

/// Stacks `count` parts of one dtype and shape along a new first axis. Only the allocation of `out` is reused, not its former contents.
///
/// # Errors
/// If the parts differ in dtype or shape; `component` is the number that the message gives for the part's position in an element.
pub fn batch<'a>(
    component: usize,
    parts: impl Iterator<Item = Part<'a>> + Clone,
    count: usize,
    out: &mut Array,
) -> Result<(), KernelError> {
    let Some(first) = parts.clone().next() else {
        return Err(KernelError::Shape("a batch of no elements".to_owned()));
    };
    let mut shape = crate::Dims::from_slice(&[count]);
    shape.extend_from_slice(first.shape());
    let other = parts
        .clone()
        .position(|part| !same_shape(part.shape(), first.shape()));
    if let Some(position) = other {
        let shape = parts
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
    dispatch!(moved first.array, values => gather(values, first.array, parts, &shape, out))
}

fn gather<'a, T: Element>(
    _: &[T],
    like: &Array,
    parts: impl Iterator<Item = Part<'a>>,
    shape: &[usize],
    out: &mut Array,
) -> Result<(), KernelError> {
    let row: usize = shape[1..].iter().product();
    let values = out.reset_like::<T>(like, shape)?;
    for (n, part) in parts.enumerate() {
        let from = part
            .values::<T>()
            .filter(|_| part.array.dtype() == like.dtype())
            .ok_or_else(|| undefined("batch", part.array.dtype()))?;
        values[n * row..(n + 1) * row].clone_from_slice(from);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(array: &Array, row: usize) -> Part<'_> {
        Part {
            array,
            row: Some(row),
        }
    }

    #[test]
    fn rows_and_whole_arrays_are_put_together() {
        let matrix = Array::new(&[3, 2], vec![1, 2, 3, 4, 5, 6]);
        let vector = Array::new(&[2], vec![7, 8]);
        let whole = Part {
            array: &vector,
            row: None,
        };
        let mut out = Array::default();
        let parts = [row(&matrix, 2), whole, row(&matrix, 0)];
        batch(0, parts.into_iter(), 3, &mut out).unwrap();
        assert_eq!(out, Array::new(&[3, 2], vec![5, 6, 7, 8, 1, 2]));
        copy_part(row(&matrix, 1), &mut out).unwrap();
        assert_eq!(out, vector_of(&[3, 4]));
        assert!(copy_part(row(&matrix, 3), &mut out).is_err());
    }

    fn vector_of(values: &[i32]) -> Array {
        Array::new(&[values.len()], values.to_vec())
    }

    #[test]
    fn parts_of_different_types_are_refused() {
        let (two, three) = (vector_of(&[1, 2]), vector_of(&[1, 2, 3]));
        let parts = [&two, &three].map(|array| Part { array, row: None });
        let mut out = Array::default();
        let error = batch(1, parts.into_iter(), 2, &mut out).unwrap_err();
        assert_eq!(
            error.to_string(),
            "Cannot batch tensors with different shapes in component 1. First element had shape [2] and element 1 had shape [3]."
        );
        let floats = Array::new(&[2], vec![1.0f32, 2.0]);
        let parts = [&two, &floats].map(|array| Part { array, row: None });
        assert!(batch(0, parts.into_iter(), 2, &mut out).is_err());
    }
}
