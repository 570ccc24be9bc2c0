//! Writing values at positions into a copy of a tensor.

use graph_kernels::Element;

use super::{AnyTensor, AsOperand, IndexElement, Number, Sizes, Tensor, axis_attr, zeros};
use crate::ops::{self, Attrs, OpDef};

/// Defines the scatter methods: documentation, name and op of each.
macro_rules! scatters {
    ($($(#[$doc:meta])* $name:ident => $op:ident;)*) => { $(
        $(#[$doc])*
        #[track_caller]
        pub fn $name<I: IndexElement>(
            &self,
            indices: impl AsOperand<I>,
            updates: impl AsOperand<T>,
        ) -> Tensor<T> {
            self.scatter(&ops::$op, &indices.into_operand(), &updates.into_operand())
        }
    )* };
}

impl<T: Element, S> Tensor<T, S> {
    scatters! {
        /// A copy with `updates` written at index vectors: each vector along the last axis of `indices` holds positions on the first axes.
        /// A tensor `[d1, .., dk, rest..]` takes indices `[outer.., k]` and updates `[outer.., rest..]`. Of several updates of one
        /// position, the last one wins.
        ///
        /// # Errors
        /// If the shapes don't match; when run, if a position is out of range.
        ///
        /// ```
        /// # use graph_runtime::tensor::*;
        /// let x = tensor([1, 2, 3]);
        /// assert_eq!(x.scatter_update(&tensor([[2], [0]]), tensor([30, 10])).to_vec(), [10, 2, 30]);
        /// ```
        #[doc(alias("tensor_scatter_nd_update"))]
        scatter_update => SCATTER_UPDATE;
    }

    /// A copy in which several rows of the first axis are replaced: [`with_row`](Self::with_row) for a vector of positions.
    ///
    /// # Errors
    /// If there isn't one row of the right shape for each position; when run, if a position is negative or too large.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// let x = tensor([[1, 2], [3, 4], [5, 6]]);
    /// let y = x.with_rows(&tensor([2, 0]), tensor([[7, 7], [8, 8]]));
    /// assert_eq!(y.to_vec(), [8, 8, 3, 4, 7, 7]);
    /// ```
    #[doc(alias("index_put", "index_copy"))]
    #[track_caller]
    pub fn with_rows<I: IndexElement>(
        &self,
        positions: impl AsOperand<I>,
        rows: impl AsOperand<T>,
    ) -> Tensor<T> {
        let positions = Tensor::<I>::from_any(positions.into_operand());
        self.scatter_update(positions.expand_dims(-1), rows)
    }

    #[track_caller]
    fn scatter(&self, op: &'static OpDef, indices: &AnyTensor, updates: &AnyTensor) -> Tensor<T> {
        Tensor::from_any(AnyTensor::apply(
            op,
            Attrs::default(),
            &[&self.any, indices, updates],
        ))
    }
}

/// Scatter methods for numbers.
impl<T: Number, S> Tensor<T, S> {
    scatters! {
        /// A copy to which `updates` are added at index vectors, which work as in [`scatter_update`](Self::scatter_update). Several updates
        /// of one position add up.
        ///
        /// # Errors
        /// As [`scatter_update`](Self::scatter_update).
        ///
        /// ```
        /// # use graph_runtime::tensor::*;
        /// let x = tensor([1, 2, 3]);
        /// assert_eq!(x.scatter_add(&tensor([[1], [1]]), tensor([10, 20])).to_vec(), [1, 32, 3]);
        /// ```
        #[doc(alias("tensor_scatter_nd_add", "index_add"))]
        scatter_add => SCATTER_ADD;
        /// A copy from which `updates` are subtracted at index vectors, which work as in [`scatter_update`](Self::scatter_update).
        ///
        /// # Errors
        /// As [`scatter_update`](Self::scatter_update).
        ///
        /// ```
        /// # use graph_runtime::tensor::*;
        /// assert_eq!(tensor([1, 2]).scatter_sub(&tensor([[1]]), tensor([5])).to_vec(), [1, -3]);
        /// ```
        #[doc(alias("tensor_scatter_nd_sub"))]
        scatter_sub => SCATTER_SUB;
        /// A copy with the smaller of element and update at index vectors, which work as in [`scatter_update`](Self::scatter_update); NaN
        /// if either is.
        ///
        /// # Errors
        /// As [`scatter_update`](Self::scatter_update).
        ///
        /// ```
        /// # use graph_runtime::tensor::*;
        /// assert_eq!(tensor([1, 2]).scatter_min(&tensor([[1], [0]]), tensor([0, 5])).to_vec(), [1, 0]);
        /// ```
        #[doc(alias("tensor_scatter_nd_min"))]
        scatter_min => SCATTER_MIN;
        /// A copy with the larger of element and update at index vectors, which work as in [`scatter_update`](Self::scatter_update); NaN if
        /// either is.
        ///
        /// # Errors
        /// As [`scatter_update`](Self::scatter_update).
        ///
        /// ```
        /// # use graph_runtime::tensor::*;
        /// assert_eq!(tensor([1, 2]).scatter_max(&tensor([[1], [0]]), tensor([0, 5])).to_vec(), [5, 2]);
        /// ```
        #[doc(alias("tensor_scatter_nd_max"))]
        scatter_max => SCATTER_MAX;
    }

    /// A copy to which `updates` are added along an axis, at the elements that [`take_along_axis`](Self::take_along_axis) finds with the
    /// same indices: one update for each element found. Several updates of one element are added in their order. Negative indices count
    /// from the end.
    ///
    /// `[.., n, ..]`, indices `[.., k, ..]` and updates `[.., k, ..]` give `[.., n, ..]`.
    ///
    /// # Errors
    /// As [`take_along_axis`](Self::take_along_axis), or if the updates don't have the shape of its result.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// let x = tensor([[1, 2, 3], [4, 5, 6]]);
    /// let y = x.add_along_axis(&tensor([[0, 0], [-1, 1]]), tensor([[10, 20], [30, 40]]), 1);
    /// assert_eq!(y.to_vec(), [31, 2, 3, 4, 45, 36]);
    /// ```
    #[track_caller]
    pub fn add_along_axis<I: IndexElement>(
        &self,
        indices: impl AsOperand<I>,
        updates: impl AsOperand<T>,
        axis: isize,
    ) -> Tensor<T> {
        Tensor::from_any(AnyTensor::apply(
            &ops::ADD_ALONG_AXIS,
            axis_attr(axis),
            &[&self.any, &indices.into_operand(), &updates.into_operand()],
        ))
    }
}

/// Zeros of the given shape, to which `updates` are added at index vectors, as in [`Tensor::scatter_add`].
///
/// # Errors
/// As [`Tensor::scatter_add`].
///
/// ```
/// # use graph_runtime::tensor::*;
/// let x = scatter_nd(&tensor([[1], [3], [1]]), tensor([9, 10, 11]), &[5]);
/// assert_eq!(x.to_vec(), [0, 20, 0, 10, 0]);
/// ```
#[track_caller]
pub fn scatter_nd<T: Number, I: IndexElement>(
    indices: impl AsOperand<I>,
    updates: impl AsOperand<T>,
    shape: impl Sizes<usize>,
) -> Tensor<T> {
    zeros::<T>(shape).scatter_add(indices, updates)
}

impl<I: IndexElement, S> Tensor<I, S> {
    /// The inverse of this permutation, a vector of the numbers from 0 to its length: `y[x[i]] = i`.
    ///
    /// # Errors
    /// When run, if the vector isn't a permutation.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// assert_eq!(tensor([2, 0, 1]).invert_permutation().to_vec(), [1, 2, 0]);
    /// ```
    #[track_caller]
    pub fn invert_permutation(&self) -> Tensor<I, S> {
        self.unary(&ops::INVERT_PERMUTATION, Attrs::default())
    }
}
