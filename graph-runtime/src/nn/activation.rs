//! The activation functions that a layer can apply to its output.

use super::module::{Module, Visitor};
use crate::TraceType;
use crate::tensor::Tensor;

/// The name of a function that a layer applies to its output.
///
/// ```
/// # use graph_runtime::prelude::*;
/// use graph_runtime::nn::Activation;
/// assert_eq!(Activation::Relu.apply(&tensor([-1.0, 2.0])).to_vec(), [0.0, 2.0]);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, TraceType)]
#[non_exhaustive]
pub enum Activation {
    /// The identity: the output stays as it is.
    #[default]
    Linear,
    /// [`Tensor::relu`]
    Relu,
    /// [`Tensor::relu6`]
    Relu6,
    /// [`Tensor::sigmoid`]
    Sigmoid,
    /// [`Tensor::tanh`]
    Tanh,
    /// [`Tensor::softmax`] along the last axis.
    Softmax,
    /// [`Tensor::softplus`]
    Softplus,
    /// [`Tensor::elu`]
    Elu,
    /// [`Tensor::selu`]
    Selu,
    /// [`Tensor::silu`]
    Silu,
    /// [`Tensor::gelu`]
    Gelu,
}

impl Activation {
    /// Applies the function to each value (`Softmax`: to each row). Keeps the shape.
    #[track_caller]
    pub fn apply(self, x: &Tensor<f32>) -> Tensor<f32> {
        match self {
            Activation::Linear => x.clone(),
            Activation::Relu => x.relu(),
            Activation::Relu6 => x.relu6(),
            Activation::Sigmoid => x.sigmoid(),
            Activation::Tanh => x.tanh(),
            Activation::Softmax => x.softmax(-1),
            Activation::Softplus => x.softplus(),
            Activation::Elu => x.elu(),
            Activation::Selu => x.selu(),
            Activation::Silu => x.silu(),
            Activation::Gelu => x.gelu(),
        }
    }
}

impl Module for Activation {
    fn visit(&self, _: &mut Visitor<'_>) {}
}
