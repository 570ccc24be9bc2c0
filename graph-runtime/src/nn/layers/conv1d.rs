//! Convolution of sequences `[batch, positions, channels]`.

use super::super::activation::Activation;
use super::super::initial::{glorot_uniform, zero};
use super::conv::Moves;
use super::{finished, rows};
use crate::nn::Module;
use crate::tensor::{AsOperand, Padding, Tensor, Window};
use crate::variable::Variable;

/// A convolution of sequences: `activation(conv1d(x, kernel) + bias)`. The kernel is `[size, channels, filters]` and is initialized by Glorot's
/// uniform distribution, the bias by zeros. By default strides are 1 and there is no padding. (`keras.layers.Conv1D`)
///
/// ```
/// # use graph_runtime::prelude::*;
/// use graph_runtime::nn::{Activation, Conv1D};
/// let layer = Conv1D::new(3, 16, 5).causal_padding().activation(Activation::Relu);
/// let y = layer.call(zeros::<f32>(&[1, 100, 3]));
/// assert_eq!(y.shape().to_string(), "[1,100,16]");
/// ```
#[derive(Clone, Module)]
pub struct Conv1D {
    kernel: Variable<f32>,
    bias: Option<Variable<f32>>,
    window: Moves,
    causal: bool,
    size: usize,
    activation: Activation,
}

impl Conv1D {
    /// Makes a layer with `filters` filters over `size` positions of sequences with `channels` channels.
    #[track_caller]
    pub fn new(channels: usize, filters: usize, size: usize) -> Conv1D {
        let shape = [size, channels, filters];
        Conv1D {
            kernel: glorot_uniform("kernel", &shape, size * channels, size * filters),
            bias: Some(zero("bias", &[filters])),
            window: Moves(Window::default()),
            causal: false,
            size,
            activation: Activation::Linear,
        }
    }

    /// Applies an activation to the output.
    #[must_use]
    pub fn activation(mut self, activation: Activation) -> Conv1D {
        self.activation = activation;
        self
    }

    /// Sets the stride: the distance between the positions of the filters.
    #[must_use]
    pub fn strides(mut self, stride: usize) -> Conv1D {
        self.window.0.strides = [1, stride];
        self
    }

    /// Pads the sequence with zeros on both sides, so that with a stride of 1 the output has its length.
    #[must_use]
    pub fn same_padding(mut self) -> Conv1D {
        (self.window.0.padding, self.causal) = (Padding::Same, false);
        self
    }

    /// Pads the sequence with zeros at its beginning, so that an output depends on its own position and those before it, and with a stride of 1
    /// the output has the sequence's length.
    #[must_use]
    pub fn causal_padding(mut self) -> Conv1D {
        (self.window.0.padding, self.causal) = (Padding::Valid, true);
        self
    }

    /// Leaves out the bias.
    #[must_use]
    pub fn without_bias(mut self) -> Conv1D {
        self.bias = None;
        self
    }

    /// The layer's output `[batch, positions', filters]`.
    ///
    /// # Errors
    /// As [`Tensor::conv1d`].
    #[track_caller]
    pub fn call(&self, x: impl AsOperand<f32>) -> Tensor<f32> {
        let mut x = rows(x, "Conv1D", &["batch", "positions"], &self.kernel, 1);
        if self.causal {
            x = x.pad([(0, 0), (self.size.saturating_sub(1), 0), (0, 0)]);
        }
        let y = x.conv1d(&self.kernel, self.window.0);
        finished(y, self.bias.as_ref(), self.activation)
    }

    /// The filters, `[size, channels, filters]`.
    pub fn kernel(&self) -> &Variable<f32> {
        &self.kernel
    }

    /// The bias, `[filters]`.
    pub fn bias(&self) -> Option<&Variable<f32>> {
        self.bias.as_ref()
    }
}
