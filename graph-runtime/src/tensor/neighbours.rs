//! What neighbours along an axis have to do with each other: their differences, and the area under the line through them.

use super::{AsOperand, Float, Number, Tensor};

impl<T: Number, S> Tensor<T, S> {
    /// The differences between neighbours along an axis, `x[i + 1] - x[i]`: `[.., n, ..]` gives `[.., n - 1, ..]`, and no elements if there are
    /// none. (`numpy.diff`)
    ///
    /// # Errors
    /// If there is no such axis.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// assert_eq!(tensor([1, 2, 4, 7]).diff(0).to_vec(), [1, 2, 3]);
    /// assert_eq!(tensor([[1, 2, 4], [5, 8, 8]]).diff(-1).to_vec(), [1, 2, 3, 0]);
    /// ```
    #[doc(alias("ediff1d"))]
    #[track_caller]
    pub fn diff(&self, axis: isize) -> Tensor<T> {
        let x = self.to_dynamic();
        without_first(&x, axis) - without_last(&x, axis)
    }
}

impl<T: Float, S> Tensor<T, S> {
    /// The integral along the last axis by the trapezoidal rule, which is removed: `[.., n]` gives `[..]`. A vector says at which places the
    /// values are, a scalar how far neighbours are from each other. (`numpy.trapezoid`)
    ///
    /// # Errors
    /// If the tensor is a scalar, or the number of places isn't `n`.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// assert_eq!(tensor([1.0, 2.0, 5.0]).trapezoid(1.0).item(), 5.0);
    /// assert_eq!(tensor([1.0, 2.0, 5.0]).trapezoid(tensor([0.0, 1.0, 3.0])).item(), 8.5);
    /// ```
    #[doc(alias("trapz", "integrate"))]
    #[track_caller]
    pub fn trapezoid(&self, places: impl AsOperand<T>) -> Tensor<T> {
        let y = self.to_dynamic();
        let places = Tensor::<T>::from_any(places.into_operand());
        let widths = match places.shape().rank() {
            Some(0) => places,
            _ => places.diff(-1),
        };
        let heights = without_first(&y, -1) + without_last(&y, -1);
        (heights * widths * T::from_f64(0.5)).sum_axes(&[-1], false)
    }
}

#[track_caller]
fn without_first<T: Number>(x: &Tensor<T>, axis: isize) -> Tensor<T> {
    x.slice_axis(axis, Some(1), None, 1)
}

#[track_caller]
fn without_last<T: Number>(x: &Tensor<T>, axis: isize) -> Tensor<T> {
    x.slice_axis(axis, None, Some(-1), 1)
}
