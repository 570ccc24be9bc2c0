//! Counting: how often values occur, and lengths as masks.

use super::gather::count;
use super::{
    AnyTensor, AsOperand, Float, IndexElement, Number, Tensor, range, stack, tensor, zeros,
};
use crate::ops::{self, Attr, Attrs};

/// The attributes of a count: the smallest and the largest length of the result.
fn limits(min: usize, max: Option<usize>) -> Attrs {
    Attrs::new()
        .with("min", count(min))
        .with("max", max.map_or(Attr::Int(-1), count))
}

impl<I: IndexElement, S> Tensor<I, S> {
    /// Counts how often each number from 0 up to the largest element occurs: a vector of at least `min` counts. The tensor may have any
    /// shape. (`numpy.bincount`, `torch.bincount`)
    ///
    /// # Errors
    /// When run, if an element is negative.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// assert_eq!(tensor([1, 1, 3]).bincount(0).to_vec(), [0, 2, 0, 1]);
    /// assert_eq!(tensor([1, 1, 3]).bincount(5).to_vec(), [0, 2, 0, 1, 0]);
    /// ```
    #[track_caller]
    #[rustfmt::skip] // The compiler shows the line to whoever gives another number of arguments.
    pub fn bincount(&self, min: usize) -> Tensor<i32> { // At least `min` counts; with a limit: `bincount_with(min, Some(max))`
        self.bincount_with(min, None)
    }

    /// [`bincount`](Self::bincount) with at most `max` counts. Elements that aren't less are left out. (`tf.math.bincount`)
    ///
    /// # Errors
    /// When run, if an element is negative.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// assert_eq!(tensor([1, 1, 3]).bincount_with(0, Some(2)).to_vec(), [0, 2]);
    /// ```
    #[track_caller]
    pub fn bincount_with(&self, min: usize, max: Option<usize>) -> Tensor<i32> {
        self.unary(&ops::BINCOUNT, limits(min, max))
    }

    /// [`bincount`](Self::bincount) where each element adds its weight instead of 1.
    ///
    /// # Errors
    /// If the shapes differ; when run, if an element is negative.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// let sums = tensor([1, 1, 2]).weighted_bincount(&tensor([0.5, 0.25, 2.0]), 0, None);
    /// assert_eq!(sums.to_vec(), [0.0, 0.75, 2.0]);
    /// ```
    #[track_caller]
    pub fn weighted_bincount<T: Number>(
        &self,
        weights: impl AsOperand<T>,
        min: usize,
        max: Option<usize>,
    ) -> Tensor<T> {
        Tensor::from_any(AnyTensor::apply(
            &ops::WEIGHTED_BINCOUNT,
            limits(min, max),
            &[&self.any, &weights.into_operand()],
        ))
    }

    /// The confusion matrix: how often each pair of a label (an element of this vector) and a prediction occurs. Gives `[classes,
    /// classes]`, with one row for each label.
    ///
    /// # Errors
    /// If the lengths differ; when run, if a label or prediction isn't in `0..classes`.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// let counts = tensor([0, 1, 1]).confusion_matrix(&tensor([0, 0, 1]), 2);
    /// assert_eq!(counts.to_vec(), [1, 0, 1, 1]);
    /// ```
    #[track_caller]
    pub fn confusion_matrix(&self, predictions: impl AsOperand<I>, classes: usize) -> Tensor<i32> {
        let labels = self.clone();
        let pairs = stack(
            [labels.as_any(), &predictions.into_operand()].map(typed::<I>),
            -1,
        );
        zeros::<i32>(&[classes, classes]).scatter_add(&pairs, labels.cast::<i32>().ones_like())
    }

    /// Masks for lengths: a new last axis that is true at the positions below the length. `[..]` gives `[.., max]`; without a `max`, it is
    /// the largest length.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// let mask = tensor([1, 3]).sequence_mask(None);
    /// assert_eq!(mask.to_vec(), [true, false, false, true, true, true]);
    /// ```
    #[track_caller]
    pub fn sequence_mask(&self, max: Option<usize>) -> Tensor<bool> {
        let lengths = self.to_dynamic().cast::<i64>();
        let positions = match max {
            Some(max) => range(0, i64::try_from(max).unwrap_or(i64::MAX), 1),
            None => range(0, lengths.max().maximum(0), 1),
        };
        positions.lt(lengths.expand_dims(-1))
    }
}

/// The same tensor with a static type.
fn typed<T: graph_kernels::Element>(x: &AnyTensor) -> Tensor<T> {
    Tensor::from_any(x.clone())
}

impl<T: Float, S> Tensor<T, S> {
    /// A histogram: how many elements lie in each of `bins` intervals of equal width between `low` and `high`. Elements outside count in
    /// the first or the last interval. Of a tensor of any shape, gives `[bins]`.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// let x = tensor([-1.0, 0.0, 1.5, 2.0, 5.0, 15.0]);
    /// assert_eq!(x.histogram_fixed_width(0.0, 5.0, 5).to_vec(), [2, 1, 1, 0, 2]);
    /// ```
    #[doc(alias("histc"))]
    #[track_caller]
    pub fn histogram_fixed_width(
        &self,
        low: impl AsOperand<T>,
        high: impl AsOperand<T>,
        bins: usize,
    ) -> Tensor<i32> {
        let low = Tensor::<T>::from_any(low.into_operand());
        let high = Tensor::<T>::from_any(high.into_operand());
        let parts = i64::try_from(bins).unwrap_or(i64::MAX);
        let number = |n: i64| tensor(n).cast::<T>();
        let share = (self.to_dynamic() - &low) / (&high - &low);
        let bin = (share * number(parts))
            .floor()
            .clip(T::default(), number(parts.saturating_sub(1)));
        bin.cast::<i32>().bincount_with(bins, Some(bins))
    }
}
