//! `take_along_axis`, and the lanes below it: one position per lane along an axis, used to read values and to add to them.

use crate::along::normalize_axis;
use crate::dispatch::{dispatch, shape_text};
use crate::indices::from_the_end;
use crate::indices::{Index, with_indices};
use crate::nest::{Nest, broadcast_shapes, broadcast_strides, row_major, strides_along};
use crate::{Array, Dims, Element, KernelError};

/// For each index, the value of its lane along the axis at that position. The other axes of `x` and `indices` broadcast. A negative index
/// counts from the end.
///
/// # Errors
/// `index 3 is out of bounds for axis 0 with size 3`, or if the other axes don't broadcast.
pub fn take_along_axis(
    x: &Array,
    indices: &Array,
    axis: i64,
    out: &mut Array,
) -> Result<(), KernelError> {
    let lanes = Lanes::new("take_along_axis", x.shape(), indices.shape(), axis)?;
    out.reset(x.dtype(), &lanes.shape)?;
    with_indices!("take_along_axis", indices, i => {
        lanes.check(i)?;
        dispatch!(moved x, v => {
            let out = out.reset_like(x, &lanes.shape)?;
            for (row, out) in lanes.rows(i).zip(out.chunks_exact_mut(lanes.row_len())) {
                match row.run() {
                    Some(at) => out.clone_from_slice(&v[at..at + out.len()]),
                    None => take_each(v, |n| row.at(n), out),
                }
            }
            Ok(())
        })
    })
}

/// Takes values that aren't contiguous: `at` gives their positions.
fn take_each<T: Element>(x: &[T], at: impl Fn(usize) -> usize, out: &mut [T]) {
    for (n, out) in out.iter_mut().enumerate() {
        *out = x[at(n)].clone();
    }
}

/// The lanes of an array along an axis, and the positions on them.
pub(crate) struct Lanes {
    /// The shape of the values at the positions.
    pub shape: Dims,
    /// Walks the starts of the lanes and the positions on them.
    nest: Nest<2>,
    axis: usize,
    /// The number of values of a lane.
    len: usize,
    /// The distance between two neighbours in a lane.
    step: usize,
}

impl Lanes {
    /// The lanes of an array of one shape, and positions of another shape.
    ///
    /// # Errors
    /// If the ranks differ, or the other axes don't broadcast.
    pub fn new(
        op: &str,
        shape: &[usize],
        positions: &[usize],
        axis: i64,
    ) -> Result<Lanes, KernelError> {
        if shape.len() != positions.len() {
            return Err(KernelError::Shape(format!(
                "`{op}` takes indices of the rank of shape {}, not of shape {}",
                shape_text(shape),
                shape_text(positions)
            )));
        }
        let axis = normalize_axis(axis, shape.len())?;
        let at_one = |shape: &[usize]| {
            let mut shape = Dims::from_slice(shape);
            shape[axis] = 1;
            shape
        };
        let mut taken = broadcast_shapes(&at_one(shape), &at_one(positions))?;
        taken[axis] = positions[axis];
        let steps = row_major(shape);
        let mut starts = strides_along(shape, &steps, &taken);
        starts[axis] = 0;
        let positions = broadcast_strides(positions, &taken);
        let nest = Nest::new(&taken, [&starts, &positions]);
        Ok(Lanes {
            shape: taken,
            nest,
            axis,
            len: shape[axis],
            step: steps[axis] as usize,
        })
    }

    /// Fails with the first index that is out of bounds.
    ///
    /// # Errors
    /// `index 3 is out of bounds for axis 0 with size 3`.
    pub fn check<I: Index>(&self, indices: &[I]) -> Result<(), KernelError> {
        let Some(first) = indices.first() else {
            return Ok(());
        };
        // If the least and the largest index are within bounds, all are: this loop is vector code.
        let (least, most) = indices.iter().fold((*first, *first), |(least, most), i| {
            (least.min(*i), most.max(*i))
        });
        if [least, most].iter().all(|i| self.is_on(*i)) {
            return Ok(());
        }
        let wrong = indices.iter().find(|i| !self.is_on(**i));
        let (axis, len) = (self.axis, self.len);
        Err(KernelError::Value(format!(
            "index {} is out of bounds for axis {axis} with size {len}",
            wrong.unwrap_or(first).wide()
        )))
    }

    fn is_on<I: Index>(&self, i: I) -> bool {
        from_the_end(i.wide(), self.len).is_some()
    }

    /// The number of values in a row of the result.
    pub fn row_len(&self) -> usize {
        self.nest.inner.max(1)
    }

    /// The rows of the result, in order, with their positions in the array. The indices must have been [checked](Self::check).
    #[inline(always)]
    pub fn rows<'a, I: Index>(&self, indices: &'a [I]) -> impl Iterator<Item = Row<'a, I>> {
        let [lane, position] = self.nest.strides.map(|step| step as usize);
        self.nest.offsets([0; 2]).map(move |[start, first]| Row {
            start,
            lane,
            indices: &indices[first..],
            position,
            len: self.len as i64,
            step: self.step,
        })
    }
}

/// The positions in the array of a row of the result.
pub(crate) struct Row<'a, I> {
    /// The position at which the lane of the first value starts.
    start: usize,
    /// The distance between the lanes of two neighbours: 0 along the axis.
    lane: usize,
    /// The positions on the lanes, starting with that of the first value.
    indices: &'a [I],
    /// The distance between the positions of two neighbours in `indices`.
    position: usize,
    len: i64,
    step: usize,
}

impl<I: Index> Row<'_, I> {
    /// The position in the array of the row's `n`-th value.
    #[inline(always)]
    pub fn at(&self, n: usize) -> usize {
        let i = self.indices[n * self.position].wide();
        let counted = if i < 0 { i + self.len } else { i };
        self.start + n * self.lane + counted as usize * self.step
    }

    /// The position of the first value, if the row's values are contiguous in the array, too.
    #[inline(always)]
    pub fn run(&self) -> Option<usize> {
        ((self.lane, self.position) == (1, 0)).then(|| self.at(0))
    }
}
