//! Functions under the names of Rust's numbers where TensorFlow's names differ, so that a formula written for `f32` also works for tensors.
//! Where Rust's function differs (`signum` of 0 is 1, `max` ignores NaN), there is no such name.

use super::math::{broadcasting, elementwise};
use super::{AnyTensor, AsOperand, Broadcast, Common, Float, Number, Tensor};
use crate::ops::{self, Attrs, OpDef};

impl<T: Float, S> Tensor<T, S> {
    elementwise! {
        /// The natural logarithm: [`log`](Self::log).
        ///
        /// ```
        /// # use graph_runtime::tensor::*;
        /// assert_eq!(tensor([1.0]).ln().to_vec(), [0.0]);
        /// ```
        ln => LOG;
        /// `ln(1 + x)`, accurate for `x` near 0: [`log1p`](Self::log1p).
        ///
        /// ```
        /// # use graph_runtime::tensor::*;
        /// assert_eq!(tensor([1e-20]).ln_1p().to_vec(), [1e-20]);
        /// ```
        ln_1p => LOG1P;
        /// `exp(x) - 1`, accurate for `x` near 0: [`expm1`](Self::expm1).
        ///
        /// ```
        /// # use graph_runtime::tensor::*;
        /// assert_eq!(tensor([1e-20]).exp_m1().to_vec(), [1e-20]);
        /// ```
        exp_m1 => EXPM1;
        /// The reciprocal, `1 / x`: [`reciprocal`](Self::reciprocal).
        ///
        /// ```
        /// # use graph_runtime::tensor::*;
        /// assert_eq!(tensor([4.0]).recip().to_vec(), [0.25]);
        /// ```
        recip => RECIPROCAL;
    }

    broadcasting! {
        /// `self` to the power of a float: [`pow`](Self::pow).
        ///
        /// ```
        /// # use graph_runtime::tensor::*;
        /// assert_eq!(tensor([4.0, 9.0]).powf(0.5).to_vec(), [2.0, 3.0]);
        /// ```
        powf => POW;
    }

    /// `self` to the power of an integer, which is the same for all elements.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// assert_eq!(tensor([2.0, -3.0]).powi(3).to_vec(), [8.0, -27.0]);
    /// ```
    #[track_caller]
    pub fn powi(&self, exponent: i32) -> Tensor<T, S> {
        self.beside(&ops::POW, T::from_f64(f64::from(exponent)))
    }
}

impl<T: Number, S> Tensor<T, S> {
    /// Limits the values to `low..=high`: [`clip`](Self::clip).
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// assert_eq!(tensor([-0.5, 0.2, 9.0]).clamp(0.0, 1.0).to_vec(), [0.0, 0.2, 1.0]);
    /// assert_eq!(tensor([-5, 2, 9]).clamp(0, 4).to_vec(), [0, 2, 4]);
    /// ```
    #[track_caller]
    pub fn clamp(&self, low: T, high: T) -> Tensor<T, S> {
        self.beside(&ops::MAXIMUM, low).beside(&ops::MINIMUM, high)
    }

    /// Applies an op to the tensor and a scalar. The shape stays the same.
    #[track_caller]
    fn beside(&self, op: &'static OpDef, scalar: T) -> Tensor<T, S> {
        let operands = [self.as_any(), &scalar.into_operand()];
        Tensor::from_any(AnyTensor::apply(op, Attrs::default(), &operands))
    }
}
