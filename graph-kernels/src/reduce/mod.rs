//! Reductions over any set of axes: `fold` says how values are combined, `row` in which order contiguous ones are, `walk`
//! how arrays are walked.

mod fold;
pub(crate) mod row;
mod walk;

#[cfg(test)]
mod tests;

use half::{bf16, f16};

use crate::dispatch::undefined;
use crate::element::Lane;
use crate::nest::{Strides, row_major};
use crate::number::Number;
use crate::{Array, DType, Dims, KernelError};

pub(crate) use fold::{Addend, Fold, Max, MaxNumber, MinNumber, Product, Sum};
use fold::{All, Any, Integral, Min, Total};

pub(crate) use row::row;

/// The axes of a reduction: which to reduce (all, if the list is empty; negative ones count from the last), and whether
/// they stay as axes of size 1.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs)]
pub struct Axes<'a> {
    pub axes: &'a [i64],
    pub keep_dims: bool,
}

impl Axes<'_> {
    /// Whether this is the axis of a vector, which goes.
    fn is_only_axis(&self, rank: usize) -> bool {
        rank == 1 && !self.keep_dims && matches!(self.axes, [-1 | 0])
    }
}

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

/// What a reduction of one array looks like: the shape of the result, the strides of the accumulators along the input's
/// axes (0 where reduced), and how many values go into one result.
pub(crate) struct Plan {
    pub shape: Dims,
    strides: Strides,
    pub count: usize,
}

impl Plan {
    /// True if the values that go into one result lie one after another, those for the first result first.
    pub fn is_trailing(&self, shape: &[usize]) -> bool {
        let axes = self
            .strides
            .iter()
            .zip(shape)
            .filter(|(_, size)| **size != 1);
        let mut kept = axes.map(|(stride, _)| *stride != 0);
        // No kept axis after a reduced one.
        kept.by_ref().find(|kept| !kept);
        !kept.any(|kept| kept)
    }

    pub fn new(shape: &[usize], axes: Axes) -> Result<Plan, KernelError> {
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
        Ok(Plan {
            shape,
            strides,
            count,
        })
    }
}

/// What a reduction does with the values that go into one result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ReduceOp {
    /// The sum; 0 of nothing. 16-bit floats are added in `f32`.
    Sum,
    /// The product; 1 of nothing. 16-bit floats are multiplied in `f32`.
    Prod,
    /// The mean; of floats NaN for nothing. Integers are summed in 64 bits and divided toward zero; their mean of nothing is
    /// 0. 16-bit floats are added in `f32`.
    Mean,
    /// The largest value; NaN wins; `-inf` or `MIN` of nothing.
    Max,
    /// The smallest value; NaN wins; `inf` or `MAX` of nothing.
    Min,
    /// True where any value is true; false of nothing.
    Any,
    /// True where all values are true; true of nothing.
    All,
}

/// What to do with the fold that stands behind an op and a dtype.
pub(crate) trait Visitor {
    type Output;
    /// `finish` turns the combination of some values, and their number, into the result.
    fn visit<F: Fold<Value: Lane>, O: Lane>(
        self,
        finish: impl Fn(F::Sum, usize) -> O + Copy + Send + Sync,
    ) -> Self::Output;
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

    /// Its name in messages, which is that of the op that it is the kernel of.
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

    /// True if it is defined for a dtype: truth values for [`Any`](Self::Any) and [`All`](Self::All), numbers for the others. The result is of the same
    /// dtype.
    pub fn is_defined_for(self, dtype: DType) -> bool {
        match self {
            ReduceOp::Any | ReduceOp::All => dtype == DType::Bool,
            _ => dtype.is_number(),
        }
    }

    /// Calls the visitor with the fold for a dtype.
    ///
    /// # Errors
    /// If it isn't defined for that.
    pub(crate) fn visit<V: Visitor>(
        self,
        dtype: DType,
        visitor: V,
    ) -> Result<V::Output, KernelError> {
        Ok(match (self, dtype) {
            (ReduceOp::Any, DType::Bool) => visitor.visit::<Any, bool>(|any, _| any != 0),
            (ReduceOp::All, DType::Bool) => visitor.visit::<All, bool>(|all, _| all != 0),
            (ReduceOp::Mean, DType::I32) => integer_mean::<i32, V>(visitor),
            (ReduceOp::Mean, DType::I64) => integer_mean::<i64, V>(visitor),
            (ReduceOp::Mean, DType::U8) => integer_mean::<u8, V>(visitor),
            (_, DType::F32) => self.numbers::<f32, V>(visitor)?,
            (_, DType::F64) => self.numbers::<f64, V>(visitor)?,
            (_, DType::F16) => self.numbers::<f16, V>(visitor)?,
            (_, DType::BF16) => self.numbers::<bf16, V>(visitor)?,
            (_, DType::I32) => self.numbers::<i32, V>(visitor)?,
            (_, DType::I64) => self.numbers::<i64, V>(visitor)?,
            (_, DType::U8) => self.numbers::<u8, V>(visitor)?,
            (_, DType::Bool | DType::Str) => return Err(undefined(self.name(), dtype)),
        })
    }

    fn numbers<T: Addend, V: Visitor>(self, visitor: V) -> Result<V::Output, KernelError> {
        Ok(match self {
            ReduceOp::Sum => visitor.visit::<Sum<T>, T>(|sum, _| T::narrow(sum)),
            ReduceOp::Prod => visitor.visit::<Product<T>, T>(|product, _| T::narrow(product)),
            ReduceOp::Max => visitor.visit::<Max<T>, T>(|max, _| max),
            ReduceOp::Min => visitor.visit::<Min<T>, T>(|min, _| min),
            ReduceOp::Mean => visitor
                .visit::<Sum<T>, T>(|sum, count| T::narrow(sum.div(T::Sum::from_usize(count)))),
            ReduceOp::Any | ReduceOp::All => return Err(undefined(self.name(), T::DTYPE)),
        })
    }
}

fn integer_mean<T: Integral, V: Visitor>(visitor: V) -> V::Output {
    visitor.visit::<Total<T>, T>(|sum, count| T::from_wide(sum / (count as i64).max(1)))
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
    op.visit(x.dtype(), Whole { x, axes, out })?
}

/// Reduces an array.
struct Whole<'a> {
    x: &'a Array,
    axes: Axes<'a>,
    out: &'a mut Array,
}

impl Visitor for Whole<'_> {
    type Output = Result<(), KernelError>;
    fn visit<F: Fold<Value: Lane>, O: Lane>(
        self,
        finish: impl Fn(F::Sum, usize) -> O + Copy + Send + Sync,
    ) -> Self::Output {
        let Whole { x, axes, out } = self;
        let values: &[F::Value] = x.values().unwrap_or_default();
        if axes.axes.is_empty() && !axes.keep_dims || axes.is_only_axis(x.rank()) {
            // The one result of all values needs no plan.
            out.reset_as::<O>(&[])[0] = finish(walk::single::<F>(values), values.len());
            return Ok(());
        }
        let reduction = Plan::new(x.shape(), axes)?;
        let out = out.reset_as::<O>(&reduction.shape);
        let count = reduction.count;
        walk::reduce::<F, O>(x.shape(), values, &reduction, out, |sum| finish(sum, count));
        Ok(())
    }
}
