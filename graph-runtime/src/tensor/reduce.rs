//! Reductions over some or all axes, and functions along one axis: positions of extremes, cumulative sums and products, softmax.

use graph_kernels::Element;

use super::{AxisOf, Float, Number, ShapeSpec, Tensor, axis_attr, ints};
use crate::ops::{self, Attr, Attrs, OpDef};

/// Defines a reduction in its three forms: over all axes, over one axis, over several. The bound on the elements is on each method and not
/// on the `impl`, so that the compiler can say why a tensor doesn't have the method.
macro_rules! reductions {
    ($elem:ident: $bound:ident, $(
        $(#[$doc:meta])* $all:ident;
        $(#[$axis_doc:meta])* $axis:ident;
        $(#[$axes_doc:meta])* $axes:ident => $op:ident;
    )*) => { $(
        $(#[$doc])*
        #[track_caller]
        pub fn $all(&self) -> Tensor<$elem, S::Reduced>
        where
            $elem: $bound,
            S: ShapeSpec,
        {
            reduce(self, &ops::$op, Over::All, false)
        }

        $(#[$axis_doc])*
        #[track_caller]
        pub fn $axis<A: AxisOf<S>>(&self, axis: A) -> Tensor<$elem, A::Removed>
        where
            $elem: $bound,
        {
            reduce(self, &ops::$op, Over::These(&[axis.index()]), false)
        }

        $(#[$axes_doc])*
        #[track_caller]
        pub fn $axes(&self, axes: &[isize], keep_dims: bool) -> Tensor<$elem>
        where
            $elem: $bound,
        {
            reduce(self, &ops::$op, Over::These(axes), keep_dims)
        }
    )* };
}

/// The axes that a reduction removes.
#[derive(Clone, Copy)]
pub(super) enum Over<'a> {
    All,
    /// These axes. An empty list reduces nothing: each value is reduced alone.
    These(&'a [isize]),
}

/// Applies a reduction. The op treats an empty list of axes as all axes.
#[track_caller]
pub(super) fn reduce<T: Element, S, S2>(
    x: &Tensor<T, S>,
    op: &'static OpDef,
    over: Over<'_>,
    keep_dims: bool,
) -> Tensor<T, S2> {
    let axes = match over {
        Over::All => &[],
        Over::These([]) => return Tensor::from_any(x.as_any().clone()),
        Over::These(axes) => axes,
    };
    x.unary(
        op,
        Attrs::new()
            .with("axes", ints(axes))
            .with("keep_dims", Attr::Bool(keep_dims)),
    )
}

/// Defines ops along one axis that remove the axis.
macro_rules! positions {
    ($($(#[$doc:meta])* $name:ident => $op:ident;)*) => { $(
        $(#[$doc])*
        #[track_caller]
        pub fn $name<A: AxisOf<S>>(&self, axis: A) -> Tensor<i64, A::Removed> {
            self.unary(&ops::$op, axis_attr(axis.index()))
        }
    )* };
}

/// Defines ops along one axis that keep the shape.
macro_rules! along_one_axis {
    ($($(#[$doc:meta])* $name:ident => $op:ident;)*) => { $(
        $(#[$doc])*
        #[track_caller]
        pub fn $name(&self, axis: isize) -> Tensor<T, S> {
            self.unary(&ops::$op, axis_attr(axis))
        }
    )* };
}

/// Reductions of numbers. If one over all axes is called with an argument, an axis or, as Rust's numbers allow, a second operand, the compiler
/// shows the line below with its name. So the comments there say what to write.
impl<T: Element, S> Tensor<T, S> {
    reductions! { T: Number,
        /// The sum of all elements, a scalar; 0 if there are none. Integers wrap.
        ///
        /// ```
        /// # use graph_runtime::tensor::*;
        /// assert_eq!(tensor([[1, 2], [3, 4]]).sum().item(), 10);
        /// ```
        #[doc(alias("reduce_sum"))]
        sum; // of all; along the last axis: `x.sum_axis(-1)`, and kept with size 1: `x.sum_axes(&[-1], true)`
        /// The sum along one axis, which is removed; a negative axis counts from the last.
        ///
        /// ```
        /// # use graph_runtime::tensor::*;
        /// assert_eq!(tensor([[1, 2], [3, 4]]).sum_axis(0).to_vec(), [4, 6]);
        /// ```
        sum_axis; // which is removed; kept with size 1: `x.sum_axes(&[0], true)`
        /// The sum along several axes, which stay with size 1 if `keep_dims`. An empty list changes nothing.
        ///
        /// ```
        /// # use graph_runtime::tensor::*;
        /// let kept = tensor([[1, 2], [3, 4]]).sum_axes(&[0], true);
        /// assert_eq!((kept.to_vec(), kept.rank()), (vec![4, 6], 2));
        /// ```
        #[doc(alias("sum_keepdim"))]
        sum_axes => REDUCE_SUM;
        /// The product of all elements, a scalar; 1 if there are none. Integers wrap.
        ///
        /// ```
        /// # use graph_runtime::tensor::*;
        /// assert_eq!(tensor([[1, 2], [3, 4]]).prod().item(), 24);
        /// ```
        #[doc(alias("reduce_prod"))]
        prod; // of all; along the last axis: `x.prod_axis(-1)`, and kept with size 1: `x.prod_axes(&[-1], true)`
        /// The product along one axis, which is removed; a negative axis counts from the last.
        ///
        /// ```
        /// # use graph_runtime::tensor::*;
        /// assert_eq!(tensor([[1, 2], [3, 4]]).prod_axis(0).to_vec(), [3, 8]);
        /// ```
        prod_axis; // which is removed; kept with size 1: `x.prod_axes(&[0], true)`
        /// The product along several axes, which stay with size 1 if `keep_dims`. An empty list changes nothing.
        ///
        /// ```
        /// # use graph_runtime::tensor::*;
        /// let kept = tensor([[1, 2], [3, 4]]).prod_axes(&[0], true);
        /// assert_eq!((kept.to_vec(), kept.rank()), (vec![3, 8], 2));
        /// ```
        prod_axes => REDUCE_PROD;
        /// The mean of all elements, a scalar. Integer division truncates towards zero. The mean of no elements is NaN (0 for integers).
        ///
        /// ```
        /// # use graph_runtime::tensor::*;
        /// assert_eq!(tensor([[1.0, 2.0], [3.0, 4.0]]).mean().item(), 2.5);
        /// ```
        #[doc(alias("reduce_mean", "average"))]
        mean; // of all; along the last axis: `x.mean_axis(-1)`, and kept with size 1: `x.mean_axes(&[-1], true)`
        /// The mean along one axis, which is removed; a negative axis counts from the last.
        ///
        /// ```
        /// # use graph_runtime::tensor::*;
        /// assert_eq!(tensor([[1.0, 2.0], [3.0, 4.0]]).mean_axis(0).to_vec(), [2.0, 3.0]);
        /// ```
        mean_axis; // which is removed; kept with size 1: `x.mean_axes(&[0], true)`
        /// The mean along several axes, which stay with size 1 if `keep_dims`. An empty list changes nothing.
        ///
        /// ```
        /// # use graph_runtime::tensor::*;
        /// let kept = tensor([[1.0, 2.0], [3.0, 4.0]]).mean_axes(&[0], true);
        /// assert_eq!((kept.to_vec(), kept.rank()), (vec![2.0, 3.0], 2));
        /// ```
        #[doc(alias("mean_keepdim"))]
        mean_axes => REDUCE_MEAN;
        /// The largest of all elements, a scalar; NaN if there is one. The maximum of no elements is minus infinity (the smallest integer
        /// of the type). For the larger of two tensors, element by element, see [`maximum`](Self::maximum).
        ///
        /// ```
        /// # use graph_runtime::tensor::*;
        /// assert_eq!(tensor([[1, 2], [3, 4]]).max().item(), 4);
        /// ```
        #[doc(alias("reduce_max", "amax"))]
        max; // of all; along the last axis: `x.max_axis(-1)`; the larger of two tensors: `x.maximum(y)`
        /// The largest element along one axis, which is removed; a negative axis counts from the last.
        ///
        /// ```
        /// # use graph_runtime::tensor::*;
        /// assert_eq!(tensor([[1, 2], [3, 4]]).max_axis(0).to_vec(), [3, 4]);
        /// ```
        max_axis; // which is removed; kept with size 1: `x.max_axes(&[0], true)`
        /// The largest element along several axes, which stay with size 1 if `keep_dims`. An empty list changes nothing.
        ///
        /// ```
        /// # use graph_runtime::tensor::*;
        /// let kept = tensor([[1, 2], [3, 4]]).max_axes(&[0], true);
        /// assert_eq!((kept.to_vec(), kept.rank()), (vec![3, 4], 2));
        /// ```
        #[doc(alias("max_keepdim"))]
        max_axes => REDUCE_MAX;
        /// The smallest of all elements, a scalar; NaN if there is one. The minimum of no elements is infinity (the largest integer of the
        /// type). For the smaller of two tensors, element by element, see [`minimum`](Self::minimum).
        ///
        /// ```
        /// # use graph_runtime::tensor::*;
        /// assert_eq!(tensor([[1, 2], [3, 4]]).min().item(), 1);
        /// ```
        #[doc(alias("reduce_min", "amin"))]
        min; // of all; along the last axis: `x.min_axis(-1)`; the smaller of two tensors: `x.minimum(y)`
        /// The smallest element along one axis, which is removed; a negative axis counts from the last.
        ///
        /// ```
        /// # use graph_runtime::tensor::*;
        /// assert_eq!(tensor([[1, 2], [3, 4]]).min_axis(0).to_vec(), [1, 2]);
        /// ```
        min_axis; // which is removed; kept with size 1: `x.min_axes(&[0], true)`
        /// The smallest element along several axes, which stay with size 1 if `keep_dims`. An empty list changes nothing.
        ///
        /// ```
        /// # use graph_runtime::tensor::*;
        /// let kept = tensor([[1, 2], [3, 4]]).min_axes(&[0], true);
        /// assert_eq!((kept.to_vec(), kept.rank()), (vec![1, 2], 2));
        /// ```
        #[doc(alias("min_keepdim"))]
        min_axes => REDUCE_MIN;
    }
}

/// Positions of extremes.
impl<T: Number, S> Tensor<T, S> {
    positions! {
        /// The position of the largest element along an axis, which is removed. Of equal elements, the first counts; NaN is ignored.
        ///
        /// # Errors
        /// If the axis has no elements.
        ///
        /// ```
        /// # use graph_runtime::tensor::*;
        /// assert_eq!(tensor([3, 9, 9]).argmax(0).item(), 1);
        /// ```
        argmax => ARGMAX;
        /// The position of the smallest element along an axis, which is removed. Of equal elements, the first counts; NaN is ignored.
        ///
        /// # Errors
        /// If the axis has no elements.
        ///
        /// ```
        /// # use graph_runtime::tensor::*;
        /// assert_eq!(tensor([3, 1, 1]).argmin(0).item(), 1);
        /// ```
        argmin => ARGMIN;
    }
}

/// Cumulative sums and products.
impl<T: Number, S> Tensor<T, S> {
    /// The cumulative sum along an axis, where each sum includes its own element. Keeps the shape.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// assert_eq!(tensor([1, 2, 3]).cumsum(0).to_vec(), [1, 3, 6]);
    /// ```
    #[doc(alias("cumulative_sum"))]
    #[track_caller]
    pub fn cumsum(&self, axis: isize) -> Tensor<T, S> {
        self.cumsum_with(axis, false, false)
    }

    /// The cumulative sum along an axis. With `exclusive`, a sum leaves out its own element; with `reverse`, sums run from the end.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// assert_eq!(tensor([1, 2, 3]).cumsum_with(0, true, true).to_vec(), [5, 3, 0]);
    /// ```
    #[track_caller]
    pub fn cumsum_with(&self, axis: isize, exclusive: bool, reverse: bool) -> Tensor<T, S> {
        self.unary(&ops::CUMSUM, running(axis, exclusive, reverse))
    }

    /// The cumulative product along an axis, where each product includes its own element. Keeps the shape.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// assert_eq!(tensor([1, 2, 3]).cumprod(0).to_vec(), [1, 2, 6]);
    /// ```
    #[track_caller]
    pub fn cumprod(&self, axis: isize) -> Tensor<T, S> {
        self.cumprod_with(axis, false, false)
    }

    /// The cumulative product along an axis. With `exclusive`, a product leaves out its own element; with `reverse`, products run from the
    /// end.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// assert_eq!(tensor([1, 2, 3]).cumprod_with(0, true, false).to_vec(), [1, 1, 2]);
    /// ```
    #[track_caller]
    pub fn cumprod_with(&self, axis: isize, exclusive: bool, reverse: bool) -> Tensor<T, S> {
        self.unary(&ops::CUMPROD, running(axis, exclusive, reverse))
    }
}

fn running(axis: isize, exclusive: bool, reverse: bool) -> Attrs {
    axis_attr(axis)
        .with("exclusive", Attr::Bool(exclusive))
        .with("reverse", Attr::Bool(reverse))
}

/// Softmax of floats.
impl<T: Float, S> Tensor<T, S> {
    along_one_axis! {
        /// Softmax: `exp(x)` divided by its sum along an axis, so that the results add up to 1. Doesn't overflow. Keeps the shape.
        ///
        /// ```
        /// # use graph_runtime::tensor::*;
        /// assert_eq!(tensor([1000.0, 1000.0]).softmax(0).to_vec(), [0.5, 0.5]);
        /// ```
        softmax => SOFTMAX; // along an axis: `x.softmax(-1)`, the last
        /// The logarithm of the softmax along an axis, more precise than the logarithm of its result. Keeps the shape.
        ///
        /// ```
        /// # use graph_runtime::tensor::*;
        /// assert_eq!(tensor([7.0]).log_softmax(0).to_vec(), [0.0]);
        /// ```
        log_softmax => LOG_SOFTMAX; // along an axis: `x.log_softmax(-1)`, the last
    }
}

/// Reductions of truth values.
impl<S> Tensor<bool, S> {
    reductions! { bool: Element,
        /// Whether any element is true, a scalar; false if there are no elements.
        ///
        /// ```
        /// # use graph_runtime::tensor::*;
        /// assert_eq!(tensor([[true, false], [true, false]]).any().item(), true);
        /// ```
        #[doc(alias("reduce_any"))]
        any; // of all; along the last axis: `x.any_axis(-1)`, and kept with size 1: `x.any_axes(&[-1], true)`
        /// Whether any is true along one axis, which is removed; a negative axis counts from the last.
        ///
        /// ```
        /// # use graph_runtime::tensor::*;
        /// assert_eq!(tensor([[true, false], [true, false]]).any_axis(0).to_vec(), [true, false]);
        /// ```
        any_axis; // which is removed; kept with size 1: `x.any_axes(&[0], true)`
        /// Whether any is true along several axes, which stay with size 1 if `keep_dims`. An empty list changes nothing.
        ///
        /// ```
        /// # use graph_runtime::tensor::*;
        /// let kept = tensor([[true, false], [true, false]]).any_axes(&[0], true);
        /// assert_eq!((kept.to_vec(), kept.rank()), (vec![true, false], 2));
        /// ```
        any_axes => REDUCE_ANY;
        /// Whether all elements are true, a scalar; true if there are no elements.
        ///
        /// ```
        /// # use graph_runtime::tensor::*;
        /// assert_eq!(tensor([[true, false], [true, false]]).all().item(), false);
        /// ```
        #[doc(alias("reduce_all"))]
        all; // of all; along the last axis: `x.all_axis(-1)`, and kept with size 1: `x.all_axes(&[-1], true)`
        /// Whether all are true along one axis, which is removed; a negative axis counts from the last.
        ///
        /// ```
        /// # use graph_runtime::tensor::*;
        /// assert_eq!(tensor([[true, false], [true, false]]).all_axis(0).to_vec(), [true, false]);
        /// ```
        all_axis; // which is removed; kept with size 1: `x.all_axes(&[0], true)`
        /// Whether all are true along several axes, which stay with size 1 if `keep_dims`. An empty list changes nothing.
        ///
        /// ```
        /// # use graph_runtime::tensor::*;
        /// let kept = tensor([[true, false], [true, false]]).all_axes(&[0], true);
        /// assert_eq!((kept.to_vec(), kept.rank()), (vec![true, false], 2));
        /// ```
        all_axes => REDUCE_ALL;
    }
}
