//! Sorting along an axis, distinct values, and searching in sorted rows.

use graph_kernels::Element;

use super::gather::count;
use super::{AsOperand, Float, IndexElement, Number, Tensor, axis_attr};
use crate::ops::{self, Attr, Attrs};
use crate::trace;

impl<T: Number, S> Tensor<T, S> {
    /// Sorts along the last axis in ascending order. Keeps the shape. NaN comes last.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// assert_eq!(tensor([2, 3, 1]).sort().to_vec(), [1, 2, 3]);
    /// ```
    #[track_caller]
    pub fn sort(&self) -> Tensor<T, S> {
        self.sort_axis(-1, false)
    }

    /// Sorts along the last axis in descending order. Keeps the shape. NaN comes last.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// assert_eq!(tensor([2, 3, 1]).sort_descending().to_vec(), [3, 2, 1]);
    /// ```
    #[track_caller]
    pub fn sort_descending(&self) -> Tensor<T, S> {
        self.sort_axis(-1, true)
    }

    /// Sorts along an axis, in descending order if `descending`. Keeps the shape. NaN comes last in both directions.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// assert_eq!(tensor([[2, 3], [1, 4]]).sort_axis(0, false).to_vec(), [1, 3, 2, 4]);
    /// ```
    #[track_caller]
    pub fn sort_axis(&self, axis: isize, descending: bool) -> Tensor<T, S> {
        if trace::is_recording() && !trace::is_tracing() {
            // The gradient needs the permutation. Without it, a tape in eager code would have to sort again.
            let x = self.clone();
            let order = x.argsort_axis(axis, descending);
            return Tensor::from_any(x.take_along_axis(&order, axis).into_any());
        }
        self.unary(
            &ops::SORT,
            axis_attr(axis).with("descending", Attr::Bool(descending)),
        )
    }

    /// The positions that sort the last axis in ascending order; equal elements keep their order. Keeps the shape. NaN comes last.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// assert_eq!(tensor([2, 3, 1]).argsort().to_vec(), [2, 0, 1]);
    /// ```
    #[doc(alias("arg_sort"))]
    #[track_caller]
    pub fn argsort(&self) -> Tensor<i32, S> {
        self.argsort_axis(-1, false)
    }

    /// The positions that sort the last axis in descending order; equal elements keep their order. Keeps the shape. NaN comes last.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// assert_eq!(tensor([2, 3, 1]).argsort_descending().to_vec(), [1, 0, 2]);
    /// ```
    #[track_caller]
    pub fn argsort_descending(&self) -> Tensor<i32, S> {
        self.argsort_axis(-1, true)
    }

    /// The positions that sort an axis; equal elements keep their order. Keeps the shape. NaN comes last in both directions.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// assert_eq!(tensor([[2, 3], [1, 4]]).argsort_axis(0, false).to_vec(), [1, 0, 0, 1]);
    /// ```
    #[track_caller]
    pub fn argsort_axis(&self, axis: isize, descending: bool) -> Tensor<i32, S> {
        self.unary(
            &ops::ARGSORT,
            axis_attr(axis).with("descending", Attr::Bool(descending)),
        )
    }

    /// The `k` largest elements along the last axis, in descending order, and their positions: `[.., n]` gives two tensors `[.., k]`. Of
    /// equal elements, the one with the lower position comes first; NaN comes last.
    ///
    /// # Errors
    /// If the last axis has fewer than `k` elements.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// let (values, positions) = tensor([1.0, 3.0, 2.0, 3.0]).top_k(3);
    /// assert_eq!(values.to_vec(), [3.0, 3.0, 2.0]);
    /// assert_eq!(positions.to_vec(), [1, 3, 2]);
    /// ```
    #[doc(alias("topk"))]
    #[track_caller]
    pub fn top_k(&self, k: usize) -> (Tensor<T>, Tensor<i32>) {
        let x = self.clone();
        let positions: Tensor<i32> = x.unary(&ops::TOP_K, Attrs::new().with("k", count(k)));
        (x.take_along_axis(&positions, -1), positions)
    }

    /// The position where each value would be inserted in this sorted tensor: before equal elements, or after them if `right`. If there are
    /// leading axes (`[.., n]` and `[.., m]`), each row of values is searched in the row at the same position.
    ///
    /// # Errors
    /// If the leading axes of the two tensors differ.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// let sorted = tensor([1, 2, 2, 5]);
    /// assert_eq!(sorted.searchsorted(&tensor([2, 9]), false).to_vec(), [1, 4]);
    /// assert_eq!(sorted.searchsorted(&tensor([2, 9]), true).to_vec(), [3, 4]);
    /// ```
    #[doc(alias("digitize", "bucketize"))]
    #[track_caller]
    pub fn searchsorted(&self, values: impl AsOperand<T>, right: bool) -> Tensor<i32> {
        let attrs = Attrs::new().with("right", Attr::Bool(right));
        Tensor::from_any(super::AnyTensor::apply(
            &ops::SEARCHSORTED,
            attrs,
            &[&self.any, &values.into_operand()],
        ))
    }
}

impl<T: Float, S> Tensor<T, S> {
    /// Whether the prediction for the target class is among the `k` highest of its row: predictions `[.., classes]` and targets `[..]` give
    /// `[..]`. Predictions equal to the `k`-th highest count as among them. False where the target is no class, and where a prediction of
    /// the row isn't finite. (`tf.math.in_top_k(targets, predictions, k)`)
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// let predictions = tensor([[0.1, 0.7, 0.2], [0.5, 0.3, 0.2]]);
    /// assert_eq!(predictions.in_top_k(tensor([2, 2]), 2).to_vec(), [true, false]);
    /// ```
    #[track_caller]
    pub fn in_top_k<I: IndexElement>(&self, targets: impl AsOperand<I>, k: usize) -> Tensor<bool> {
        let predictions = self.to_dynamic();
        let targets = Tensor::<I>::from_any(targets.into_operand()).cast::<i64>();
        let classes = predictions.shape_tensor().get(-1).cast::<i64>();
        let is_class = targets.ge(0).logical_and(targets.lt(&classes));
        let known = is_class.select(&targets, 0).expand_dims(-1).dynamic();
        let own = predictions.take_along_axis(known, -1);
        let higher = predictions.gt(own).count_nonzero_axis(-1);
        let finite = predictions.is_finite().all_axis(-1);
        let among = higher.lt(i64::try_from(k).unwrap_or(i64::MAX));
        among.logical_and(is_class).logical_and(finite)
    }
}

impl<T: Element, S> Tensor<T, S> {
    /// The distinct elements of a vector in the order of their first occurrence, and for each element its index among them:
    /// `values.gather(&index)` is the vector again. Every NaN counts as distinct.
    ///
    /// # Errors
    /// If the tensor isn't a vector.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// let (values, index) = tensor(["b", "a", "b"]).unique();
    /// assert_eq!(values.to_vec(), ["b", "a"]);
    /// assert_eq!(index.to_vec(), [0, 1, 0]);
    /// ```
    #[track_caller]
    pub fn unique(&self) -> (Tensor<T>, Tensor<i32>) {
        let x = self.clone();
        (
            x.unary(&ops::UNIQUE, Attrs::default()),
            x.unary(&ops::UNIQUE_INDEX, Attrs::default()),
        )
    }

    /// As [`unique`](Self::unique), and also how often each distinct element occurs.
    ///
    /// # Errors
    /// If the tensor isn't a vector.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// let (values, _, counts) = tensor([3, 1, 3]).unique_with_counts();
    /// assert_eq!((values.to_vec(), counts.to_vec()), (vec![3, 1], vec![2, 1]));
    /// ```
    #[track_caller]
    pub fn unique_with_counts(&self) -> (Tensor<T>, Tensor<i32>, Tensor<i32>) {
        let (values, index) = self.unique();
        let counts = index.bincount(0);
        (values, index, counts)
    }
}
