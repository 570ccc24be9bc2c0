//! Strided walks over the elements of an output: the loop nest below broadcasting, reducing and copying kernels.

use smallvec::SmallVec;

use crate::dispatch::shape_text;
use crate::{Dims, KernelError};

/// Steps between neighbours along each axis, counted in elements; 0 repeats a value, a negative step walks backwards.
pub(crate) type Strides = SmallVec<[isize; 6]>;

/// The strides of a row-major array.
pub(crate) fn row_major(shape: &[usize]) -> Strides {
    let mut strides: Strides = SmallVec::from_elem(0, shape.len());
    let mut step = 1;
    for (stride, size) in strides.iter_mut().zip(shape).rev() {
        *stride = step;
        step *= *size as isize;
    }
    strides
}

/// The strides that broadcast a row-major array of `shape` to the larger `target`: 0 on repeated axes.
pub(crate) fn broadcast_strides(shape: &[usize], target: &[usize]) -> Strides {
    strides_along(shape, &row_major(shape), target)
}

/// Broadcasts strides: `own` are those along the axes of `shape`; on the axes of `target` that are repeated, they are 0.
pub(crate) fn strides_along(shape: &[usize], own: &[isize], target: &[usize]) -> Strides {
    let missing = target.len() - shape.len();
    let mut strides: Strides = SmallVec::from_elem(0, target.len());
    for (axis, stride) in own.iter().enumerate() {
        if shape[axis] == target[axis + missing] {
            strides[axis + missing] = *stride;
        }
    }
    strides
}

/// The shape two operands broadcast to, aligned at the last axis.
///
/// # Errors
/// `Incompatible shapes: [2,3] vs. [4,2]`.
pub fn broadcast_shapes(a: &[usize], b: &[usize]) -> Result<Dims, KernelError> {
    let mut shape = Dims::from_slice(a);
    broadcast_with(&mut shape, b)?;
    Ok(shape)
}

/// Broadcasts a shape with another one, in place.
///
/// # Errors
/// As [`broadcast_shapes`].
pub(crate) fn broadcast_with(shape: &mut Dims, other: &[usize]) -> Result<(), KernelError> {
    let error = |shape: &Dims| {
        let (shape, other) = (shape_text(shape), shape_text(other));
        KernelError::Shape(format!("Incompatible shapes: {shape} vs. {other}"))
    };
    let missing = other.len().saturating_sub(shape.len());
    let more = shape.len().saturating_sub(other.len());
    let mut sizes = shape[more..].iter().zip(&other[missing..]);
    if sizes.any(|(a, b)| a != b && *a != 1 && *b != 1) {
        return Err(error(shape));
    }
    for (size, other) in shape[more..].iter_mut().zip(&other[missing..]) {
        if *size == 1 {
            *size = *other;
        }
    }
    if missing > 0 {
        shape.insert_from_slice(0, &other[..missing]);
    }
    Ok(())
}

/// A loop nest over a shape in row-major order, with strides of their own for `N` operands. Axes of size 1 are dropped, and neighbouring
/// axes that every operand walks evenly are merged, so that the innermost loop is as long as possible.
pub(crate) struct Nest<const N: usize> {
    outer: SmallVec<[(usize, [isize; N]); 6]>,
    /// The length of the innermost loop.
    pub inner: usize,
    /// The strides of the innermost loop.
    pub strides: [isize; N],
    is_empty: bool,
}

impl<const N: usize> Nest<N> {
    /// The nest over `shape` with one stride per axis for each operand.
    pub fn new(shape: &[usize], strides: [&[isize]; N]) -> Nest<N> {
        let mut axes: SmallVec<[(usize, [isize; N]); 6]> = SmallVec::new();
        for (axis, &size) in shape.iter().enumerate() {
            let steps: [isize; N] = std::array::from_fn(|n| strides[n][axis]);
            match axes.last_mut() {
                _ if size == 1 => {}
                Some((outer, outer_steps))
                    if (0..N).all(|n| outer_steps[n] == steps[n] * size as isize) =>
                {
                    *outer *= size;
                    *outer_steps = steps;
                }
                _ => axes.push((size, steps)),
            }
        }
        let (inner, steps) = axes.pop().unwrap_or((1, [1; N]));
        Nest {
            outer: axes,
            inner,
            strides: steps,
            is_empty: shape.contains(&0),
        }
    }

    /// The sizes and strides of all axes, innermost first.
    pub fn axes(&self) -> impl Iterator<Item = (usize, [isize; N])> {
        let outer = self.outer.iter().rev().copied();
        std::iter::once((self.inner, self.strides)).chain(outer)
    }

    /// The axis next to the innermost loop: its size and strides.
    pub fn second(&self) -> Option<(usize, [isize; N])> {
        self.outer.last().copied()
    }

    /// Removes the axis next to the innermost loop, for callers that walk the two inner axes themselves.
    pub fn take_second(&mut self) -> Option<(usize, [isize; N])> {
        self.outer.pop()
    }

    /// Removes the innermost of the outer axes along which the first operand's values are contiguous.
    pub fn take_unit_axis(&mut self) -> Option<(usize, [isize; N])> {
        let at = self.outer.iter().rposition(|(_, steps)| steps[0] == 1)?;
        Some(self.outer.remove(at))
    }

    /// Calls `row` with the operands' offsets at the start of every innermost loop.
    pub fn for_each(&self, start: [usize; N], row: impl FnMut([usize; N])) {
        self.offsets(start).for_each(row);
    }

    /// The axes outside the innermost loop, outermost first: their sizes and strides.
    pub fn outer(&self) -> &[(usize, [isize; N])] {
        &self.outer
    }

    /// The operands' offsets at the start of every innermost loop, from the `first`-th loop on.
    pub fn offsets_from(&self, start: [usize; N], first: usize) -> Offsets<'_, N> {
        let mut offsets = self.offsets(start);
        offsets.left = offsets.left.saturating_sub(first);
        let mut rest = first;
        for (counter, (size, steps)) in offsets.counters.iter_mut().zip(&self.outer).rev() {
            *counter = rest % size;
            rest /= size;
            (0..N).for_each(|n| offsets.at[n] += steps[n] * *counter as isize);
        }
        offsets
    }

    /// The operands' offsets at the start of every innermost loop.
    pub fn offsets(&self, start: [usize; N]) -> Offsets<'_, N> {
        let sizes = self.outer.iter().map(|(size, _)| size);
        Offsets {
            outer: &self.outer,
            counters: SmallVec::from_elem(0, self.outer.len()),
            at: start.map(|offset| offset as isize),
            left: if self.is_empty { 0 } else { sizes.product() },
        }
    }
}

/// The offsets at which the innermost loops of a [`Nest`] begin, in order.
pub(crate) struct Offsets<'a, const N: usize> {
    outer: &'a [(usize, [isize; N])],
    counters: Dims,
    at: [isize; N],
    /// The number of loops that are left.
    left: usize,
}

impl<const N: usize> Iterator for Offsets<'_, N> {
    type Item = [usize; N];

    #[inline]
    fn next(&mut self) -> Option<[usize; N]> {
        self.left = self.left.checked_sub(1)?;
        let offsets = self.at.map(|offset| offset as usize);
        for (counter, (size, steps)) in self.counters.iter_mut().zip(self.outer).rev() {
            *counter += 1;
            if *counter < *size {
                (0..N).for_each(|n| self.at[n] += steps[n]);
                break;
            }
            *counter = 0;
            (0..N).for_each(|n| self.at[n] -= steps[n] * (*size as isize - 1));
        }
        Some(offsets)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

impl<const N: usize> ExactSizeIterator for Offsets<'_, N> {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_broadcast_from_the_last_axis() {
        assert_eq!(broadcast_shapes(&[2, 1], &[3]).unwrap().as_slice(), [2, 3]);
        assert_eq!(broadcast_shapes(&[], &[0]).unwrap().as_slice(), [0]);
        let error = broadcast_shapes(&[2, 3], &[4, 2]).unwrap_err();
        assert_eq!(error.to_string(), "Incompatible shapes: [2,3] vs. [4,2]");
    }

    #[test]
    fn a_nest_merges_what_is_contiguous_and_visits_rows_in_order() {
        let whole = Nest::new(&[2, 3, 4], [&row_major(&[2, 3, 4])]);
        assert_eq!((whole.inner, whole.strides), (24, [1]));
        let column = broadcast_strides(&[2, 1], &[2, 3]);
        let nest = Nest::new(&[2, 3], [&column, &row_major(&[2, 3])]);
        let mut seen = Vec::new();
        nest.for_each([0, 0], |at| seen.push(at));
        assert_eq!((nest.inner, nest.strides), (3, [0, 1]));
        assert_eq!(seen, [[0, 0], [1, 3]]);
    }

    #[test]
    fn an_empty_axis_has_no_rows() {
        Nest::new(&[0, 3], [&[3, 1]]).for_each([0], |_| panic!("no rows"));
    }
}
