//! Reductions that are composed of others (counts, logsumexp, variance, standard deviation and norm), each over all axes, over one axis or
//! over several, and functions that use them.

use graph_kernels::Element;

use super::reduce::{Over, reduce};
use super::{AsOperand, AxisOf, Float, ShapeSpec, Tensor, tensor};
use crate::ops::{self, OpDef};

/// Which norm of a vector is computed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Norm {
    /// The sum of the absolute values.
    One,
    /// The square root of the sum of the squares; over two axes, the Frobenius norm.
    #[default]
    Two,
    /// The largest absolute value.
    Infinity,
}

macro_rules! statistics {
    ($bound:ident => $result:ty: $(
        $(#[$doc:meta])* $all:ident;
        $(#[$axis_doc:meta])* $axis:ident;
        $(#[$axes_doc:meta])* $axes:ident => $calculate:ident;
    )*) => {
        impl<T: $bound, S> Tensor<T, S> { $(
            $(#[$doc])*
            #[track_caller]
            pub fn $all(&self) -> Tensor<$result, S::Reduced>
            where
                S: ShapeSpec,
            {
                Tensor::from_any($calculate(&self.to_dynamic(), Over::All, false).into_any())
            }

            $(#[$axis_doc])*
            #[track_caller]
            pub fn $axis<A: AxisOf<S>>(&self, axis: A) -> Tensor<$result, A::Removed> {
                let axes = [axis.index()];
                let over = Over::These(&axes);
                Tensor::from_any($calculate(&self.to_dynamic(), over, false).into_any())
            }

            $(#[$axes_doc])*
            #[track_caller]
            pub fn $axes(&self, axes: &[isize], keep_dims: bool) -> Tensor<$result> {
                $calculate(&self.to_dynamic(), Over::These(axes), keep_dims)
            }
        )* }
    };
}
statistics! {
    Element => i64:
    /// The number of nonzero elements, a scalar: numbers that aren't 0 (NaN counts), truth values that are true, strings that aren't empty.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// assert_eq!(tensor([[1, 0], [-2, 0]]).count_nonzero().item(), 2);
    /// assert_eq!(tensor([1.5, 2.5]).gt(2.0).count_nonzero().item(), 1);
    /// ```
    count_nonzero;
    /// [`count_nonzero`](Self::count_nonzero) along one axis, which is removed.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// assert_eq!(tensor([[1, 0], [-2, 0]]).count_nonzero_axis(0).to_vec(), [2, 0]);
    /// ```
    count_nonzero_axis; // which is removed; kept with size 1: `x.count_nonzero_axes(&[0], true)`
    /// [`count_nonzero`](Self::count_nonzero) along several axes (all if the list is empty), which stay with size 1 if `keep_dims`.
    count_nonzero_axes => count_nonzero;
}
statistics! {
    Float => T:
    /// The logarithm of the sum of the exponentials of all elements, a scalar, computed without overflow; -∞ if there are no elements.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// assert_eq!(tensor([1000.0, 1000.0]).logsumexp().item(), 1000.0 + 2f64.ln());
    /// ```
    #[doc(alias("reduce_logsumexp", "log_sum_exp"))]
    logsumexp;
    /// [`logsumexp`](Self::logsumexp) along one axis, which is removed.
    logsumexp_axis; // which is removed; kept with size 1: `x.logsumexp_axes(&[0], true)`
    /// [`logsumexp`](Self::logsumexp) along several axes, which stay with size 1 if `keep_dims`. With an empty list, each element is
    /// reduced alone; this holds for the statistics below, too.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// let x = tensor([[3.0, -4.0]]);
    /// assert_eq!(x.logsumexp_axes(&[], false).to_vec(), [3.0, -4.0]);
    /// assert_eq!(x.norm_axes(&[], true).to_vec(), [3.0, 4.0]);
    /// assert_eq!(x.std_axes(&[], false).to_vec(), [0.0, 0.0]);
    /// ```
    logsumexp_axes => logsumexp;

    /// The mean squared distance from the mean, a scalar; NaN if there are no elements.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// assert_eq!(tensor([1.0, 2.0, 3.0, 6.0]).variance().item(), 3.5);
    /// ```
    #[doc(alias("var", "reduce_variance"))]
    variance;
    /// [`variance`](Self::variance) along one axis, which is removed.
    variance_axis; // which is removed; kept with size 1: `x.variance_axes(&[0], true)`
    /// [`variance`](Self::variance) along several axes, which stay with size 1 if `keep_dims`.
    variance_axes => variance;

    /// The square root of the [`variance`](Self::variance).
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// assert_eq!(tensor([1.0, 5.0]).std().item(), 2.0);
    /// ```
    #[doc(alias("reduce_std", "stddev"))]
    std;
    /// [`std`](Self::std) along one axis, which is removed.
    std_axis; // which is removed; kept with size 1: `x.std_axes(&[0], true)`
    /// [`std`](Self::std) along several axes, which stay with size 1 if `keep_dims`.
    std_axes => standard_deviation;

    /// The square root of the sum of squares (the Euclidean or Frobenius norm), a scalar; 0 if there are no elements.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// assert_eq!(tensor([3.0, 4.0]).norm().item(), 5.0);
    /// ```
    #[doc(alias("vector_norm", "reduce_euclidean_norm"))]
    norm;
    /// [`norm`](Self::norm) along one axis, which is removed.
    norm_axis; // which is removed; kept with size 1: `x.norm_axes(&[0], true)`
    /// [`norm`](Self::norm) along several axes, which stay with size 1 if `keep_dims`.
    norm_axes => norm;
}

impl<T: Float, S> Tensor<T, S> {
    /// One of the [norms](Norm) along several axes, which stay with size 1 if `keep_dims`.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// let x = tensor([[3.0, -4.0], [0.0, 0.0]]);
    /// assert_eq!(x.norm_of(Norm::One, &[1], false).to_vec(), [7.0, 0.0]);
    /// assert_eq!(x.norm_of(Norm::Infinity, &[0, 1], false).item(), 4.0);
    /// ```
    #[track_caller]
    pub fn norm_of(&self, norm: Norm, axes: &[isize], keep_dims: bool) -> Tensor<T> {
        match norm {
            Norm::One => self.abs().sum_axes(axes, keep_dims),
            Norm::Two => self.norm_axes(axes, keep_dims),
            Norm::Infinity => self.abs().max_axes(axes, keep_dims),
        }
    }

    /// The mean and the variance along several axes, which stay with size 1 if `keep_dims`.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// let (mean, variance) = tensor([[1.0, 5.0], [3.0, 5.0]]).moments(&[0], false);
    /// assert_eq!((mean.to_vec(), variance.to_vec()), (vec![2.0, 5.0], vec![1.0, 0.0]));
    /// ```
    #[doc(alias("var_mean"))]
    #[track_caller]
    pub fn moments(&self, axes: &[isize], keep_dims: bool) -> (Tensor<T>, Tensor<T>) {
        let x = self.clone();
        (
            x.mean_axes(axes, keep_dims),
            x.variance_axes(axes, keep_dims),
        )
    }

    /// Divides the vectors along an axis by their [`norm`](Self::norm). A norm below 10⁻⁶ counts as 10⁻⁶.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// assert_eq!(tensor([3.0, 4.0, 0.0]).l2_normalize(0).to_vec(), [0.6000000000000001, 0.8, 0.0]);
    /// ```
    #[track_caller]
    pub fn l2_normalize(&self, axis: isize) -> Tensor<T> {
        let least = tensor(1e-12).cast::<T>();
        let x = self.to_dynamic();
        let squares = x.square().sum_axes(&[axis], true);
        x * squares.maximum(least).rsqrt()
    }

    /// Scales the tensor down, if necessary, so that its [`norm`](Self::norm) is at most `limit`.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// assert_eq!(tensor([3.0, 4.0]).clip_by_norm(1.0).to_vec(), [0.6, 0.8]);
    /// assert_eq!(tensor([0.3, 0.4]).clip_by_norm(1.0).to_vec(), [0.3, 0.4]);
    /// ```
    #[track_caller]
    pub fn clip_by_norm(&self, limit: impl AsOperand<T>) -> Tensor<T> {
        let limit = Tensor::<T>::from_any(limit.into_operand());
        let x = self.to_dynamic();
        &x * &limit / x.norm().maximum(limit)
    }
}

#[track_caller]
fn count_nonzero<T: Element>(x: &Tensor<T>, over: Over<'_>, keep_dims: bool) -> Tensor<i64> {
    let ones = x.not_equal(T::default()).cast::<i64>();
    reduce(&ones, &ops::REDUCE_SUM, over, keep_dims)
}

/// [`reduce`] with a result of unknown static shape.
#[track_caller]
fn reduced<T: Float>(
    x: &Tensor<T>,
    op: &'static OpDef,
    over: Over<'_>,
    keep_dims: bool,
) -> Tensor<T> {
    reduce(x, op, over, keep_dims)
}

#[track_caller]
fn logsumexp<T: Float>(x: &Tensor<T>, over: Over<'_>, keep_dims: bool) -> Tensor<T> {
    let largest = reduced(x, &ops::REDUCE_MAX, over, true);
    // If the maximum is infinite, subtracting it would give only NaN.
    let shift = largest.is_finite().select(&largest, T::default());
    let sum = reduced(&(x - &shift).exp(), &ops::REDUCE_SUM, over, true).log() + shift;
    if keep_dims {
        sum
    } else {
        reduced(&sum, &ops::REDUCE_SUM, over, false)
    }
}

#[track_caller]
fn variance<T: Float>(x: &Tensor<T>, over: Over<'_>, keep_dims: bool) -> Tensor<T> {
    let distance = x - reduced(x, &ops::REDUCE_MEAN, over, true);
    reduced(&distance.square(), &ops::REDUCE_MEAN, over, keep_dims)
}

#[track_caller]
fn standard_deviation<T: Float>(x: &Tensor<T>, over: Over<'_>, keep_dims: bool) -> Tensor<T> {
    variance(x, over, keep_dims).sqrt()
}

#[track_caller]
fn norm<T: Float>(x: &Tensor<T>, over: Over<'_>, keep_dims: bool) -> Tensor<T> {
    reduced(&x.square(), &ops::REDUCE_SUM, over, keep_dims).sqrt()
}
