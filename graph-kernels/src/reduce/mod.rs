//! Reductions over any set of axes: `fold` defines how values are combined, `row` the order for contiguous values, `reducer` makes
//! functions of both, and `walk` walks the arrays.

mod fold;
mod reducer;
pub(crate) mod row;
mod walk;

#[cfg(test)]
mod tests;

use bytemuck::Pod;

use crate::along::normalize_axis;
use crate::block::{Block, BlockMut, Lane};
use crate::element::ElementOp;
use crate::nest::{Strides, row_major};
use crate::{Array, DType, Dims, KernelError, scratch};

pub(crate) use fold::{Addend, Fold, Highest, Product, Sum};
pub(crate) use reducer::{Evenly, RESULTS, Reducer};
pub(crate) use row::row;
use walk::Walk;
pub(crate) use walk::{reduce_rows, tree, write_sums};

/// The axes of a reduction: which axes are reduced (all, if the list is empty; negative ones count from the last), and whether they are
/// kept with size 1.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs)]
pub struct Axes<'a> {
    pub axes: &'a [i64],
    pub keep_dims: bool,
}

impl Axes<'_> {
    /// Whether this reduces a vector along its only axis and drops the axis.
    fn is_only_axis(&self, rank: usize) -> bool {
        rank == 1 && !self.keep_dims && matches!(self.axes, [-1 | 0])
    }
}

/// What a reduction makes of a shape: the shape of the result, the strides of the accumulators along the input's axes (0 where reduced), and the
/// number of values per result.
pub(crate) struct ReducedShape {
    pub shape: Dims,
    strides: Strides,
    pub count: usize,
}

impl ReducedShape {
    /// True if the values of each result are contiguous, in the order of the results.
    pub fn is_trailing(&self, shape: &[usize]) -> bool {
        let axes = self
            .strides
            .iter()
            .zip(shape)
            .filter(|(_, size)| **size != 1);
        let mut kept = axes.map(|(stride, _)| *stride != 0);
        // No axis that is kept comes after one that is reduced.
        kept.by_ref().find(|kept| !kept);
        !kept.any(|kept| kept)
    }

    pub fn new(shape: &[usize], axes: Axes) -> Result<ReducedShape, KernelError> {
        let mut reduced: smallvec::SmallVec<[bool; 6]> =
            smallvec::SmallVec::from_elem(axes.axes.is_empty(), shape.len());
        for axis in axes.axes {
            reduced[normalize_axis(*axis, shape.len())?] = true;
        }
        let kept: Dims = shape
            .iter()
            .zip(&reduced)
            .map(|(n, r)| if *r { 1 } else { *n })
            .collect();
        let mut strides = row_major(&kept);
        strides
            .iter_mut()
            .zip(&reduced)
            .filter(|(_, r)| **r)
            .for_each(|(s, _)| *s = 0);
        let count = shape
            .iter()
            .zip(&reduced)
            .filter(|(_, r)| **r)
            .map(|(n, _)| n)
            .product();
        let shape = match axes.keep_dims {
            true => kept,
            false => kept
                .iter()
                .zip(&reduced)
                .filter(|(_, r)| !**r)
                .map(|(n, _)| *n)
                .collect(),
        };
        Ok(ReducedShape {
            shape,
            strides,
            count,
        })
    }
}

/// The function of a reduction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ReduceOp {
    /// The sum; 0 if there are no values. 16-bit floats are added in `f32`.
    Sum,
    /// The product; 1 if there are no values. 16-bit floats are multiplied in `f32`.
    Prod,
    /// The mean. Without values it is NaN for floats and 0 for integers. Integers are summed in 64 bits, and the quotient is truncated.
    /// 16-bit floats are added in `f32`.
    Mean,
    /// The largest value; NaN wins; `-inf` or `MIN` if there are no values.
    Max,
    /// The smallest value; NaN wins; `inf` or `MAX` if there are no values.
    Min,
    /// True where any value is true; false if there are no values.
    Any,
    /// True where all values are true; true if there are no values.
    All,
}

impl ReduceOp {
    /// Every reduction.
    pub const ALL: [ReduceOp; 7] = [
        ReduceOp::Sum,
        ReduceOp::Prod,
        ReduceOp::Mean,
        ReduceOp::Max,
        ReduceOp::Min,
        ReduceOp::Any,
        ReduceOp::All,
    ];

    /// The reduction's name in messages, which is that of its op.
    pub fn name(self) -> &'static str {
        match self {
            ReduceOp::Sum => "reduce_sum",
            ReduceOp::Prod => "reduce_prod",
            ReduceOp::Mean => "reduce_mean",
            ReduceOp::Max => "reduce_max",
            ReduceOp::Min => "reduce_min",
            ReduceOp::Any => "reduce_any",
            ReduceOp::All => "reduce_all",
        }
    }

    /// True if it is defined for a dtype: `bool` for [`Any`](Self::Any) and [`All`](Self::All), numbers for the others. The result has
    /// the same dtype.
    pub fn is_defined_for(self, dtype: DType) -> bool {
        match self {
            ReduceOp::Any | ReduceOp::All => dtype == DType::Bool,
            _ => dtype.is_number(),
        }
    }
}

/// The reduction of an array over some axes.
///
/// # Errors
/// If an axis doesn't exist, or the reduction isn't defined for the dtype.
///
/// ```
/// # use graph_kernels::{Array, Axes, ReduceOp, reduce};
/// let x = Array::new(&[2, 3], vec![1, 2, 3, 4, 5, 6]);
/// let mut out = Array::default();
/// reduce(ReduceOp::Sum, &x, Axes { axes: &[-1], keep_dims: false }, &mut out)?;
/// assert_eq!(out, Array::new(&[2], vec![6, 15]));
/// # Ok::<(), graph_kernels::KernelError>(())
/// ```
pub fn reduce(op: ReduceOp, x: &Array, axes: Axes, out: &mut Array) -> Result<(), KernelError> {
    let reducer = op.reducer(x.dtype())?;
    match Block::of(x.buffer()) {
        Some(values) if reducer.takes == x.dtype() => all(reducer, x, values, axes, out),
        _ if reducer.takes == DType::I64 => {
            converted::<i64, _>(x, |values| all(reducer, x, values, axes, out))
        }
        _ => converted::<f32, _>(x, |values| all(reducer, x, values, axes, out)),
    }
}

/// Reduces the values of `x`, given in the dtype that the reducer takes.
fn all(
    reducer: &'static Reducer,
    x: &Array,
    values: Block,
    axes: Axes,
    out: &mut Array,
) -> Result<(), KernelError> {
    if axes.axes.is_empty() && !axes.keep_dims || axes.is_only_axis(x.rank()) {
        // A single result of all values needs no strides.
        let sum = walk::single(reducer, values);
        out.reset(x.dtype(), &[])?;
        if let Some(result) = BlockMut::of(out.buffer_mut(), 1) {
            (reducer.finish)(&[sum], values.len(), result);
        }
        return Ok(());
    }
    let reduced = &ReducedShape::new(x.shape(), axes)?;
    let walk = Walk {
        reducer,
        values,
        shape: x.shape(),
        reduced,
    };
    walk.write(x.dtype(), out)
}

/// Calls `f` with the values of `x` converted to another type.
pub(crate) fn converted<T: Lane + Pod, R>(
    x: &Array,
    f: impl FnOnce(Block) -> Result<R, KernelError>,
) -> Result<R, KernelError> {
    scratch::with(x.len(), |values: &mut [T]| {
        ElementOp::convert_block(x, T::DTYPE, T::block_mut(values))?;
        f(T::block(values))
    })
}
