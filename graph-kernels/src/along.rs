//! An array seen around one axis, for the operations whose values depend on each other along it.

use crate::{Dims, KernelError};

/// An axis counted from the first one.
///
/// # Errors
/// If there is no such axis.
pub fn normalize_axis(axis: i64, rank: usize) -> Result<usize, KernelError> {
    let counted = if axis < 0 {
        axis.saturating_add(rank as i64)
    } else {
        axis
    };
    usize::try_from(counted)
        .ok()
        .filter(|axis| *axis < rank)
        .ok_or_else(|| {
            KernelError::Shape(format!(
                "axis {axis} is out of range for an array of rank {rank}"
            ))
        })
}

/// An array seen as `[outer, len, inner]` around one axis: neighbours along the axis are `inner` values apart.
#[derive(Clone, Copy)]
pub(crate) struct Split {
    pub axis: usize,
    pub outer: usize,
    pub len: usize,
    pub inner: usize,
}

impl Split {
    pub fn new(shape: &[usize], axis: i64) -> Result<Split, KernelError> {
        let axis = normalize_axis(axis, shape.len())?;
        let (outer, inner) = (
            shape[..axis].iter().product(),
            shape[axis + 1..].iter().product(),
        );
        Ok(Split {
            axis,
            outer,
            len: shape[axis],
            inner,
        })
    }

    /// The offset of the first value of every lane along the axis.
    pub fn lanes(self) -> impl Iterator<Item = usize> {
        let is_empty = self.len == 0 || self.inner == 0;
        let block = if is_empty { 0 } else { self.outer };
        (0..block).flat_map(move |o| (0..self.inner).map(move |i| o * self.len * self.inner + i))
    }

    /// The offsets of the values of the lane that starts at an offset.
    pub fn lane(self, start: usize) -> impl DoubleEndedIterator<Item = usize> + Clone {
        (0..self.len).map(move |k| start + k * self.inner)
    }
}

/// The shape without an axis.
pub(crate) fn without(shape: &[usize], axis: usize) -> Dims {
    shape
        .iter()
        .enumerate()
        .filter(|(n, _)| *n != axis)
        .map(|(_, size)| *size)
        .collect()
}
