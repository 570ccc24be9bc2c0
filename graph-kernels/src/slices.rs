//! Slices of axes, and the part of an array that they select.

use smallvec::SmallVec;

use crate::along::normalize_axis;
use crate::nest::{Strides, row_major};
use crate::shape::View;
use crate::{Dims, KernelError};

/// A slice of one axis: begin, end and step; begin and end may be absent.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs)]
pub struct AxisSlice {
    pub axis: i64,
    pub begin: Option<i64>,
    pub end: Option<i64>,
    pub step: i64,
}

impl AxisSlice {
    /// The first position and the number of positions on an axis of the given size, clipped as NumPy does.
    ///
    /// # Errors
    /// If the step is 0.
    pub fn resolve(&self, size: usize) -> Result<(usize, usize), KernelError> {
        if self.step == 0 {
            return Err(KernelError::Value("slice step cannot be zero".to_owned()));
        }
        // With a negative step both limits are one lower: -1 means "before the first".
        let (low, high) = if self.step > 0 {
            (0, size as i64)
        } else {
            (-1, size as i64 - 1)
        };
        let clip = |at: i64| {
            if at < 0 {
                at.saturating_add(size as i64)
            } else {
                at
            }
            .clamp(low, high)
        };
        let (from, to) = if self.step > 0 {
            (low, high)
        } else {
            (high, low)
        };
        let (begin, end) = (self.begin.map_or(from, clip), self.end.map_or(to, clip));
        let span = if self.step > 0 {
            end - begin
        } else {
            begin - end
        }
        .max(0) as u64;
        let count = span.div_ceil(self.step.unsigned_abs()) as usize;
        Ok((if count == 0 { 0 } else { begin as usize }, count))
    }
}

/// The part that slices select of an array with the shape.
///
/// # Errors
/// As [`strided_slice`].
pub(crate) fn sliced(
    whole: &[usize],
    slices: impl IntoIterator<Item = AxisSlice>,
) -> Result<View, KernelError> {
    let mut shape = Dims::from_slice(whole);
    let steps = row_major(whole);
    let mut strides: Strides = steps.clone();
    let mut start = 0;
    let mut sliced: SmallVec<[bool; 6]> = SmallVec::from_elem(false, whole.len());
    for slice in slices {
        let axis = normalize_axis(slice.axis, whole.len())?;
        if std::mem::replace(&mut sliced[axis], true) {
            return Err(KernelError::Shape(format!(
                "axis {} is sliced twice",
                slice.axis
            )));
        }
        let (begin, count) = slice.resolve(whole[axis])?;
        start += begin * steps[axis] as usize;
        shape[axis] = count;
        // With one position no step is made, so a step may be huge.
        strides[axis] = if count > 1 {
            steps[axis] * slice.step as isize
        } else {
            0
        };
    }
    Ok(View {
        start,
        strides,
        shape,
    })
}
