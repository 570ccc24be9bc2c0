//! Layers: structs with variables and a method `call`, one file a kind. What a layer computes, its variables' names and first values and
//! its defaults are Keras's; sizes of inputs are said when it is made.

mod attention;
mod conv;
mod dense;
mod dropout;
mod embedding;
mod norm;
mod recurrent;
mod sequential;
mod shape;

pub use attention::MultiHeadAttention;
pub use conv::{AvgPool2D, Conv2D, GlobalAvgPool2D, MaxPool2D};
pub use dense::Dense;
pub use dropout::Dropout;
pub use embedding::Embedding;
pub use norm::{BatchNorm, LayerNorm};
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

/// An input of as many values along the last axis as an axis of some weights has, behind axes of these names; `..` stands for any number
/// of them. What isn't known of its shape is left for the operations to find out.
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

/// The product of a layer with its bias, if it has one, and its activation.
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
