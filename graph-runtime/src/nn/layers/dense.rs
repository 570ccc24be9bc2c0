//! The fully connected layer.

use super::super::activation::Activation;
use super::super::initial::{glorot_uniform, zero};
use super::{finished, rows};
use crate::nn::Module;
use crate::tensor::{AsOperand, Tensor};
use crate::variable::Variable;

/// A fully connected layer: `activation(x · kernel + bias)`. The kernel is `[inputs, units]` and is initialized by Glorot's uniform
/// distribution, the bias by zeros. (`keras.layers.Dense`)
///
/// ```
/// # use graph_runtime::prelude::*;
/// use graph_runtime::nn::{Activation, Dense};
/// let layer = Dense::new(784, 100).activation(Activation::Relu);
/// let y = layer.call(zeros::<f32>(&[32, 784]));
/// assert_eq!(y.shape().to_string(), "[32,100]");
/// ```
#[doc(alias("Linear"))]
#[derive(Clone, Module)]
pub struct Dense {
    kernel: Variable<f32>,
    bias: Option<Variable<f32>>,
    activation: Activation,
}

impl Dense {
    /// Makes a layer that takes `inputs` values to `units` values, without an activation.
    #[track_caller]
    pub fn new(inputs: usize, units: usize) -> Dense {
        Dense {
            kernel: glorot_uniform("kernel", &[inputs, units], inputs, units),
            bias: Some(zero("bias", &[units])),
            activation: Activation::Linear,
        }
    }

    /// Applies an activation to the output.
    #[must_use]
    pub fn activation(mut self, activation: Activation) -> Dense {
        self.activation = activation;
        self
    }

    /// Leaves out the bias.
    #[must_use]
    pub fn without_bias(mut self) -> Dense {
        self.bias = None;
        self
    }

    /// The layer's output `[.., units]` for `[.., inputs]`.
    ///
    /// # Errors
    /// If the size of the last axis isn't `inputs`.
    #[track_caller]
    pub fn call(&self, x: impl AsOperand<f32>) -> Tensor<f32> {
        let x = rows(x, "Dense", &[".."], &self.kernel, 0);
        finished(x.matmul(&self.kernel), self.bias.as_ref(), self.activation)
    }

    /// The kernel, `[inputs, units]`.
    pub fn kernel(&self) -> &Variable<f32> {
        &self.kernel
    }

    /// The bias, `[units]`.
    pub fn bias(&self) -> Option<&Variable<f32>> {
        self.bias.as_ref()
    }
}
