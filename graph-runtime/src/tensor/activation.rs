//! Activation functions of neural networks. Where TensorFlow has a kernel, there is an op; the others are composed of ops as in TensorFlow,
//! and a graph fuses them into one pass.

use super::math::elementwise;
use super::{AsOperand, Broadcast, Common, Float, Number, ShapeSpec, Tensor};
use crate::ops::{self, Attrs};

impl<T: Number, S> Tensor<T, S> {
    elementwise! {
        /// `x` limited to `0..=6`.
        ///
        /// ```
        /// # use graph_runtime::tensor::*;
        /// assert_eq!(tensor([-2.0, 3.0, 9.0]).relu6().to_vec(), [0.0, 3.0, 6.0]);
        /// ```
        relu6 => RELU6;
    }
}

impl<T: Float, S: ShapeSpec> Tensor<T, S> {
    elementwise! {
        /// `log(1 + exp(x))`.
        ///
        /// ```
        /// # use graph_runtime::tensor::*;
        /// assert_eq!(tensor([1000.0]).softplus().to_vec(), [1000.0]);
        /// ```
        softplus => SOFTPLUS;
        /// `x / (1 + |x|)`.
        ///
        /// ```
        /// # use graph_runtime::tensor::*;
        /// assert_eq!(tensor([1.0, -3.0]).softsign().to_vec(), [0.5, -0.75]);
        /// ```
        softsign => SOFTSIGN;
        /// `x` where it is positive, else `exp(x) - 1`.
        ///
        /// ```
        /// # use graph_runtime::tensor::*;
        /// assert_eq!(tensor([2.0, -1000.0]).elu().to_vec(), [2.0, -1.0]);
        /// ```
        elu => ELU;
        /// [`elu`](Self::elu) with fixed factors, chosen so that the outputs of stacked layers keep their mean and variance.
        ///
        /// ```
        /// # use graph_runtime::tensor::*;
        /// assert_eq!(tensor([1.0f32]).selu().to_vec(), [1.050701]);
        /// ```
        selu => SELU;
    }

    /// `x` where it is positive, else `slope * x`.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// assert_eq!(tensor([2.0, -2.0]).leaky_relu(0.25).to_vec(), [2.0, -0.5]);
    /// ```
    #[track_caller]
    pub fn leaky_relu<R: AsOperand<T>>(&self, slope: R) -> Tensor<T, Common<S, R::Shape>>
    where
        S: Broadcast<R::Shape>,
    {
        self.binary(&ops::LEAKY_RELU, slope)
    }

    /// `x * sigmoid(x)`, also known as swish. Keeps the shape.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// assert_eq!(tensor([0.0, 1000.0]).silu().to_vec(), [0.0, 1000.0]);
    /// ```
    #[doc(alias("swish"))]
    #[track_caller]
    pub fn silu(&self) -> Tensor<T, S> {
        let x = self.clone();
        &x * x.sigmoid()
    }

    /// `x` times the probability that a standard normal value is smaller than `x`: `x * (1 + erf(x / sqrt(2))) / 2`. Keeps the shape.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// assert_eq!(tensor([0.0, 100.0]).gelu().to_vec(), [0.0, 100.0]);
    /// ```
    #[track_caller]
    pub fn gelu(&self) -> Tensor<T, S> {
        let x = self.clone();
        let below = (&x / T::from_f64(std::f64::consts::SQRT_2)).erf() + T::from_f64(1.0);
        x * T::from_f64(0.5) * below
    }

    /// An approximation of [`gelu`](Self::gelu) by `tanh`: `x * (1 + tanh(sqrt(2 / π) * (x + 0.044715 * x³))) / 2`. Keeps the shape.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// assert_eq!(tensor([0.0, 100.0]).gelu_tanh().to_vec(), [0.0, 100.0]);
    /// ```
    #[track_caller]
    pub fn gelu_tanh(&self) -> Tensor<T, S> {
        let x = &self.clone();
        let cube = x * x * x;
        let inner =
            (x + cube * T::from_f64(0.044715)) * T::from_f64((2.0 / std::f64::consts::PI).sqrt());
        x * T::from_f64(0.5) * (inner.tanh() + T::from_f64(1.0))
    }

    /// A piecewise linear approximation of the sigmoid: `relu6(x + 3) / 6`. Keeps the shape.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// assert_eq!(tensor([-4.0, 0.0, 4.0]).hard_sigmoid().to_vec(), [0.0, 0.5, 1.0]);
    /// ```
    #[doc(alias("hardsigmoid"))]
    #[track_caller]
    pub fn hard_sigmoid(&self) -> Tensor<T, S> {
        (self + T::from_f64(3.0)).relu6() / T::from_f64(6.0)
    }

    /// The logarithm of the sigmoid, computed without overflow. Keeps the shape.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// assert_eq!(tensor([-1000.0]).log_sigmoid().to_vec(), [-1000.0]);
    /// ```
    #[doc(alias("logsigmoid"))]
    #[track_caller]
    pub fn log_sigmoid(&self) -> Tensor<T, S> {
        -(-self).softplus()
    }
}
