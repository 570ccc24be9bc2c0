//! Loss functions of classifiers.

use super::{AnyTensor, AsOperand, Float, IndexElement, Tensor};
use crate::ops::{self, Attrs};

impl<T: Float, S> Tensor<T, S> {
    /// The cross entropy between logits (this tensor, `[.., classes]`) and probabilities of the same shape; gives `[..]`. As TensorFlow's
    /// `softmax_cross_entropy_with_logits`.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// let loss = tensor([[0.0, 0.0]]).softmax_cross_entropy(tensor([[0.25, 0.75]]));
    /// assert_eq!(loss.to_vec(), [2f64.ln()]);
    /// ```
    #[doc(alias("softmax_cross_entropy_with_logits"))]
    #[track_caller]
    pub fn softmax_cross_entropy(&self, labels: impl AsOperand<T>) -> Tensor<T> {
        let products: Tensor<T> = self.to_dynamic().log_softmax(-1).binary(&ops::MUL, labels);
        -products.sum_axis(-1)
    }

    /// The cross entropy between logits (this tensor) and probabilities of the class "yes", element by element. As TensorFlow's
    /// `sigmoid_cross_entropy_with_logits`.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// let loss = tensor([0.0, 1e4]).sigmoid_cross_entropy(tensor([0.5, 1.0]));
    /// assert_eq!(loss.to_vec(), [2f64.ln(), 0.0]);
    /// ```
    #[doc(alias("sigmoid_cross_entropy_with_logits"))]
    #[track_caller]
    pub fn sigmoid_cross_entropy(&self, labels: impl AsOperand<T>) -> Tensor<T> {
        let x = self.to_dynamic();
        let products = &x * Tensor::<T>::from_any(labels.into_operand());
        // Not `relu` and `abs`: at 0 the gradients of the two `select`s below add up to the gradient of the loss; those of `relu` and `abs`
        // don't.
        let zero = T::from_f64(0.0);
        let positive = x.ge(zero.clone());
        let (above, from_zero) = (positive.select(&x, zero), positive.select(-&x, &x));
        (above - products) + from_zero.exp().log1p()
    }

    /// The cross entropy between logits (this tensor, `[.., classes]`) and labels `[..]`, which are class numbers; gives `[..]`. As
    /// TensorFlow's `sparse_softmax_cross_entropy_with_logits`.
    ///
    /// # Errors
    /// When run, if a label isn't in `0..classes`: `Received a label value of 3 which is outside the valid range of [0, 3).`
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// let loss = tensor([[0.0, 0.0], [1e4, -1e4]]).sparse_softmax_cross_entropy(&tensor([1, 0]));
    /// assert_eq!(loss.to_vec(), [2f64.ln(), 0.0]);
    /// ```
    #[doc(alias("sparse_softmax_cross_entropy_with_logits"))]
    #[track_caller]
    pub fn sparse_softmax_cross_entropy<I: IndexElement>(
        &self,
        labels: impl AsOperand<I>,
    ) -> Tensor<T> {
        Tensor::from_any(AnyTensor::apply(
            &ops::SPARSE_SOFTMAX_CROSS_ENTROPY,
            Attrs::new(),
            &[&labels.into_operand(), &self.any],
        ))
    }
}
