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

use crate::tensor::{AsOperand, Tensor};

/// An input as a tensor.
#[track_caller]
fn input(x: impl AsOperand<f32>) -> Tensor<f32> {
    Tensor::from_any(x.into_operand())
}
