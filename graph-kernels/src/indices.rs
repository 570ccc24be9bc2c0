//! Operands that hold positions and sizes: `int32` or `int64`, read once; errors are in TensorFlow's words.

use smallvec::SmallVec;

use crate::dispatch::{int_scalar, shape_text, undefined};
use crate::{Array, Buffer, KernelError};

/// Runs `$body` with `$v` bound to the `int32` or `int64` values of an operand.
macro_rules! with_indices {
    ($op:expr, $indices:expr, $v:ident => $body:expr) => {
        match $indices.buffer() {
            $crate::Buffer::I32($v) => $body,
            $crate::Buffer::I64($v) => $body,
            other => Err($crate::dispatch::undefined($op, other.dtype())),
        }
    };
}
pub(crate) use with_indices;

/// An integer type for positions.
pub(crate) trait Index: Copy + Ord + Into<i64> {
    /// The integer.
    #[inline(always)]
    fn wide(self) -> i64 {
        self.into()
    }

    /// The position, if it is between 0 and `len`, without `len`.
    #[inline(always)]
    fn below(self, len: usize) -> Option<usize> {
        usize::try_from(self.wide()).ok().filter(|at| *at < len)
    }
}

impl Index for i32 {}
impl Index for i64 {}

/// A vector of integers, such as a shape.
pub(crate) type Ints = SmallVec<[i64; 6]>;

/// The values of an integer vector.
///
/// # Errors
/// If the operand isn't an integer vector.
pub(crate) fn int_vector(op: &str, array: &Array) -> Result<Ints, KernelError> {
    if array.rank() != 1 {
        return Err(KernelError::Shape(format!(
            "`{op}` takes a vector of integers, not an array of shape {}",
            shape_text(array.shape())
        )));
    }
    int_values(op, array)
}

/// The values of an operand of integers, row-major.
///
/// # Errors
/// If the operand doesn't hold integers.
pub(crate) fn int_values(op: &str, array: &Array) -> Result<Ints, KernelError> {
    match array.buffer() {
        Buffer::I32(v) => Ok(v.iter().map(|i| i64::from(*i)).collect()),
        Buffer::I64(v) => Ok(Ints::from_slice(v)),
        other => Err(undefined(op, other.dtype())),
    }
}

/// The index of the `n`-th value of an array of a shape, as messages show it: `1,0`.
pub(crate) fn place_text(n: usize, shape: &[usize]) -> String {
    let mut rest = n;
    let mut place: SmallVec<[String; 6]> = SmallVec::new();
    for size in shape.iter().rev() {
        place.push((rest % size).to_string());
        rest /= size;
    }
    place.reverse();
    place.join(",")
}

/// Fails with the first index that is not a position on an axis of `len`.
///
/// # Errors
/// `indices[0,1] = 5 is not in [0, 3)`.
pub(crate) fn check_positions<I: Index>(
    indices: &[I],
    shape: &[usize],
    len: usize,
) -> Result<(), KernelError> {
    match indices.iter().position(|i| i.below(len).is_none()) {
        None => Ok(()),
        Some(n) => Err(KernelError::Value(format!(
            "indices[{}] = {} is not in [0, {len})",
            place_text(n, shape),
            indices[n].wide()
        ))),
    }
}

/// Rows of positions on the leading axes of an array: the last axis of the operand is one such row.
pub(crate) struct PositionRows<'a, I> {
    /// The positions, row after row.
    pub values: &'a [I],
    /// The axes in front of the rows.
    pub outer: &'a [usize],
    /// How many axes a row covers.
    pub depth: usize,
}

impl<'a, I: Index> PositionRows<'a, I> {
    /// The rows of `values` of the given shape.
    ///
    /// # Errors
    /// `indices must be at least a vector`, or if a row is longer than `rank`.
    pub fn new(values: &'a [I], shape: &'a [usize], rank: usize) -> Result<Self, KernelError> {
        let Some((depth, outer)) = shape.split_last() else {
            return Err(KernelError::Shape(
                "indices must be at least a vector".to_owned(),
            ));
        };
        check_depth(*depth, rank)?;
        Ok(PositionRows {
            values,
            outer,
            depth: *depth,
        })
    }

    /// The number of rows.
    pub fn count(&self) -> usize {
        self.outer.iter().product()
    }

    /// The row-major position that the `n`-th row points at, for leading axes of the given sizes.
    pub fn flat(&self, n: usize, sizes: &[usize]) -> Option<usize> {
        self.row(n)
            .iter()
            .zip(sizes)
            .try_fold(0, |flat, (i, size)| Some(flat * size + i.below(*size)?))
    }

    /// A row that is out of range, as messages show it: `indices[1] = [3, 0]`.
    pub fn text(&self, n: usize) -> String {
        let row: Vec<i64> = self.row(n).iter().map(|i| i.wide()).collect();
        format!("indices[{}] = {row:?}", place_text(n, self.outer))
    }

    fn row(&self, n: usize) -> &[I] {
        &self.values[n * self.depth..(n + 1) * self.depth]
    }
}

/// Fails if rows of `depth` positions don't fit an array of `rank`.
///
/// # Errors
/// `index innermost dimension length must be <= params rank; saw: 3 vs. 2`.
pub fn check_depth(depth: usize, rank: usize) -> Result<(), KernelError> {
    if depth <= rank {
        return Ok(());
    }
    Err(KernelError::Shape(format!(
        "index innermost dimension length must be <= params rank; saw: {depth} vs. {rank}"
    )))
}

/// A position below `len`; negative ones count from the end.
#[inline(always)]
pub(crate) fn from_the_end(index: i64, len: usize) -> Option<usize> {
    let counted = if index < 0 {
        index.checked_add(len as i64)?
    } else {
        index
    };
    usize::try_from(counted).ok().filter(|at| *at < len)
}

/// A position on an axis of a size, as an index from the first; negative positions count from the end.
///
/// # Errors
/// `slice index 4 of dimension 0 out of bounds.`
pub(crate) fn position(i: i64, axis: usize, size: usize) -> Result<usize, KernelError> {
    from_the_end(i, size).ok_or_else(|| {
        KernelError::Value(format!(
            "slice index {i} of dimension {axis} out of bounds."
        ))
    })
}

/// The index of the part of `x` at positions on its first axes, and the shape of a part.
pub(crate) fn row_at<'a>(
    op: &str,
    x: &'a Array,
    positions: &[&Array],
) -> Result<(usize, &'a [usize]), KernelError> {
    if x.rank() < positions.len() {
        let (shape, axes) = (shape_text(x.shape()), positions.len());
        return Err(KernelError::Shape(format!(
            "`{op}` takes an array with at least {axes} axes, not of shape {shape}"
        )));
    }
    let (sizes, inner) = x.shape().split_at(positions.len());
    let mut row = 0;
    for (axis, (i, size)) in positions.iter().zip(sizes).enumerate() {
        row = row * size + position(int_scalar(op, i)?, axis, *size)?;
    }
    Ok((row, inner))
}
