//! Taking values at positions or by masks, and finding the positions of values.

use graph_kernels::Element;

use super::{AnyTensor, AsOperand, IndexElement, Number, Tensor, axis_attr};
use crate::ops::{self, Attr, Attrs};

impl<T: Element, S> Tensor<T, S> {
    /// The rows at several positions: `[n, b..]` and `[k..]` give `[k.., b..]`.
    ///
    /// # Errors
    /// If an index is negative or too large, when run.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// let x = tensor(["a", "b", "c"]);
    /// assert_eq!(x.gather(&tensor([2, 0])).to_vec(), ["c", "a"]);
    /// ```
    #[doc(alias("embedding_lookup"))]
    #[track_caller]
    pub fn gather<I: IndexElement>(&self, indices: impl AsOperand<I>) -> Tensor<T> {
        self.gather_axis(indices, 0)
    }

    /// [`gather`](Self::gather) along another axis: `[a.., n, b..]` and `[k..]` give `[a.., k.., b..]`.
    ///
    /// # Errors
    /// As [`gather`](Self::gather), or if there is no such axis.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// let x = tensor([[1, 2, 3], [4, 5, 6]]);
    /// assert_eq!(x.gather_axis(tensor([2, 0]), 1).to_vec(), [3, 1, 6, 4]);
    /// ```
    #[doc(alias("take", "index_select"))]
    #[track_caller]
    pub fn gather_axis<I: IndexElement>(
        &self,
        indices: impl AsOperand<I>,
        axis: isize,
    ) -> Tensor<T> {
        Tensor::from_any(AnyTensor::apply(
            &ops::GATHER,
            axis_attr(axis),
            &[&self.any, &indices.into_operand()],
        ))
    }

    /// [`gather`](Self::gather) with separate indices for each position of the first `batch_dims` axes, which both tensors have in common:
    /// `[b.., .., n, ..]` and `[b.., k..]` give `[b.., .., k.., ..]`.
    ///
    /// # Errors
    /// If those axes differ or `axis` is one of them; if an index is negative or too large, when run.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// let x = tensor([[1, 2], [3, 4]]);
    /// assert_eq!(x.gather_batch(&tensor([[1], [0]]), 1, 1).to_vec(), [2, 3]);
    /// ```
    #[track_caller]
    pub fn gather_batch<I: IndexElement>(
        &self,
        indices: impl AsOperand<I>,
        axis: isize,
        batch_dims: usize,
    ) -> Tensor<T> {
        Tensor::from_any(AnyTensor::apply(
            &ops::BATCH_GATHER,
            axis_attr(axis).with("batch_dims", count(batch_dims)),
            &[&self.any, &indices.into_operand()],
        ))
    }

    /// The parts at index vectors: each vector along the last axis of `indices` holds positions on the first axes. `[d1, .., dk, rest..]`
    /// and `[outer.., k]` give `[outer.., rest..]`.
    ///
    /// # Errors
    /// If an index vector is longer than the rank; if a position is out of range, when run.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// let x = tensor([[1, 2], [3, 4]]);
    /// assert_eq!(x.gather_nd(&tensor([[1, 0], [0, 1]])).to_vec(), [3, 2]);
    /// ```
    #[track_caller]
    pub fn gather_nd<I: IndexElement>(&self, indices: impl AsOperand<I>) -> Tensor<T> {
        self.gather_nd_batch(indices, 0)
    }

    /// [`gather_nd`](Self::gather_nd) with separate indices for each position of the first `batch_dims` axes, which both tensors have in
    /// common: `[b.., d1, .., dk, rest..]` and `[b.., outer.., k]` give `[b.., outer.., rest..]`.
    ///
    /// # Errors
    /// As [`gather_nd`](Self::gather_nd), or if those axes differ.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// let x = tensor([[1, 2], [3, 4]]);
    /// assert_eq!(x.gather_nd_batch(&tensor([[1], [0]]), 1).to_vec(), [2, 3]);
    /// ```
    #[track_caller]
    pub fn gather_nd_batch<I: IndexElement>(
        &self,
        indices: impl AsOperand<I>,
        batch_dims: usize,
    ) -> Tensor<T> {
        Tensor::from_any(AnyTensor::apply(
            &ops::GATHER_ND,
            Attrs::new().with("batch_dims", count(batch_dims)),
            &[&self.any, &indices.into_operand()],
        ))
    }

    /// For each index, the element at that position along the axis; the other axes of both tensors broadcast. Negative indices count from
    /// the end. Fits the indices of [`argsort`](Self::argsort) and [`top_k`](Self::top_k).
    ///
    /// # Errors
    /// If the ranks differ or the other axes don't broadcast; if an index is out of bounds, when run.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// let x = tensor([[3, 1, 2], [5, 6, 4]]);
    /// assert_eq!(x.take_along_axis(&x.argsort_axis(1, false), 1).to_vec(), [1, 2, 3, 4, 5, 6]);
    /// ```
    #[doc(alias("take_along_dim"))]
    #[track_caller]
    pub fn take_along_axis<I: IndexElement>(
        &self,
        indices: impl AsOperand<I>,
        axis: isize,
    ) -> Tensor<T> {
        Tensor::from_any(AnyTensor::apply(
            &ops::TAKE_ALONG_AXIS,
            axis_attr(axis),
            &[&self.any, &indices.into_operand()],
        ))
    }

    /// The elements where the mask is true. A mask with fewer axes selects rows. One axis replaces the axes of the mask: `[d.., rest..]`
    /// and `[d..]` give `[n, rest..]`.
    ///
    /// # Errors
    /// If the mask is a scalar, or its shape isn't that of the tensor's first axes.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// let x = tensor([1, -2, 3]);
    /// assert_eq!(x.boolean_mask(&x.gt(0)).to_vec(), [1, 3]);
    /// ```
    #[doc(alias("masked_select", "compress", "extract"))]
    #[track_caller]
    pub fn boolean_mask(&self, mask: impl AsOperand<bool>) -> Tensor<T> {
        Tensor::from_any(AnyTensor::apply(
            &ops::BOOLEAN_MASK,
            Attrs::default(),
            &[&self.any, &mask.into_operand()],
        ))
    }

    /// The positions of the elements that are true or nonzero, in row-major order: `[n, rank]`.
    ///
    /// # Errors
    /// If the elements are strings.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// let x = tensor([[0, 5], [6, 0]]);
    /// assert_eq!(x.gt(0).nonzero().to_vec(), [0, 1, 1, 0]);
    /// ```
    #[doc(alias("argwhere", "flatnonzero"))]
    #[track_caller]
    pub fn nonzero(&self) -> Tensor<i64> {
        self.unary(&ops::NONZERO, Attrs::default())
    }
}

impl<I: IndexElement, S> Tensor<I, S> {
    /// One-hot vectors: for each index a new last axis of size `depth`, with 1 at the index and 0 elsewhere. An index out of range gives
    /// only zeros.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// assert_eq!(tensor([1, 0]).one_hot::<f32>(2).to_vec(), [0.0, 1.0, 1.0, 0.0]);
    /// ```
    #[track_caller]
    pub fn one_hot<U: Number>(&self, depth: usize) -> Tensor<U> {
        self.hot(depth)
    }

    /// [`one_hot`](Self::one_hot) with values of any element type instead of 1 and 0, and with the new axis at any position; -1 is the
    /// last.
    ///
    /// # Errors
    /// If there is no such axis; if `axis` isn't -1 and the rank isn't known while tracing.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// let hot = tensor([2, 0]).one_hot_with(3, 5, -1, -1);
    /// assert_eq!(hot.to_vec(), [-1, -1, 5, 5, -1, -1]);
    /// let columns = tensor([2, 0]).one_hot_with(3, "x", "", 0);
    /// assert_eq!(columns.to_vec(), ["", "x", "", "", "x", ""]);
    /// ```
    #[track_caller]
    pub fn one_hot_with<U: Element>(
        &self,
        depth: usize,
        on: impl AsOperand<U>,
        off: impl AsOperand<U>,
        axis: isize,
    ) -> Tensor<U> {
        let hot: Tensor<bool> = self.hot(depth);
        let hot = match axis {
            -1 => hot,
            _ => hot.moveaxis(-1, axis),
        };
        let (on, off) = (on.into_operand(), off.into_operand());
        hot.select(Tensor::<U>::from_any(on), Tensor::<U>::from_any(off))
    }

    #[track_caller]
    fn hot<U: Element>(&self, depth: usize) -> Tensor<U> {
        let attrs = Attrs::new()
            .with("depth", count(depth))
            .with("dtype", Attr::DType(U::DTYPE));
        self.unary(&ops::ONE_HOT, attrs)
    }
}

/// A number of axes or elements as an attribute. A number too large for `i64` becomes the largest `i64`.
pub(super) fn count(n: usize) -> Attr {
    Attr::Int(i64::try_from(n).unwrap_or(i64::MAX))
}
