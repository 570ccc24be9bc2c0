//! Layers: structs with variables and a method `call`, one file for each kind. A layer's computation, the names and initial values of its
//! variables and its defaults are those of Keras; the sizes of its inputs are given when it is made.

mod attention;
mod conv;
mod conv1d;
mod dense;
mod dropout;
mod embedding;
mod group_norm;
mod norm;
mod recurrent;
mod sequential;
mod shape;

pub use attention::{AttentionCache, MultiHeadAttention};
pub use conv::{AvgPool2D, Conv2D, GlobalAvgPool2D, MaxPool2D};
pub use conv1d::Conv1D;
pub use dense::Dense;
pub use dropout::Dropout;
pub use embedding::Embedding;
pub use group_norm::GroupNorm;
pub use norm::{BatchNorm, LayerNorm, RmsNorm};
pub use recurrent::{Gru, GruCell, Lstm, LstmCell};
pub use sequential::{Layer, Sequential};
pub use shape::{Flatten, Reshape};

use super::activation::Activation;
use crate::error::{Error, Location};
use crate::tensor::{AsOperand, Tensor};
use crate::trace;
use crate::variable::Variable;

/// An input as a tensor.
#[track_caller]
fn input(x: impl AsOperand<f32>) -> Tensor<f32> {
    Tensor::from_any(x.into_operand())
}

/// A layer's input, after a check of its shape: the last axis must have the size of the weights' axis `axis`. `axes` names the axes before
/// it; `..` stands for any number of them. Sizes that aren't known while tracing aren't checked here.
#[track_caller]
fn rows(
    x: impl AsOperand<f32>,
    layer: &str,
    axes: &[&str],
    weights: &Variable<f32>,
    axis: usize,
) -> Tensor<f32> {
    let x = input(x);
    let (shape, expected) = (x.shape(), weights.shape());
    let (Some(sizes), Some(expected)) = (shape.dims(), expected.dims()) else {
        return x;
    };
    let width = expected[axis].unwrap_or_default();
    let last = sizes.last().copied().unwrap_or(Some(0));
    let rank = axes == [".."] || sizes.len() == axes.len() + 1;
    if !rank || last.is_some_and(|n| n != width) {
        let axes = axes.join(", ");
        let message = format!("{layer} takes inputs of shape [{axes}, {width}], not {shape}");
        trace::fail(Error::trace(message, Location::caller()));
    }
    x
}

/// A layer's output: its product plus the bias, if there is one, with the activation applied.
#[track_caller]
fn finished(
    product: Tensor<f32>,
    bias: Option<&Variable<f32>>,
    activation: Activation,
) -> Tensor<f32> {
    match bias {
        Some(bias) => activation.apply(&(product + bias)),
        None => activation.apply(&product),
    }
}
