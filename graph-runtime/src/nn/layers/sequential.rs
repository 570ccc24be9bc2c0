//! `Layer`, the trait of layers with one float tensor as input and one as output, and `Sequential`, a chain of such layers.

use super::super::module::{Module, Visitor};
use super::super::summary::Summary;
use super::{
    AvgPool2D, BatchNorm, Conv1D, Conv2D, Dense, Dropout, Flatten, GlobalAvgPool2D, GroupNorm, Gru,
    LayerNorm, Lstm, MaxPool2D, Reshape, RmsNorm,
};
use crate::autodiff::{Source, Sources};
use crate::error::Caller;
use crate::function::{AnyArgument, Argument, Sequence, Signature};
use crate::nn::{Activation, Gradient};
use crate::tensor::{AsOperand, Tensor, zeros};
use crate::trace::AnyTensor;

/// A layer with one float tensor as input and one as output: a part of a [`Sequential`]. To make a struct with `#[derive(Module)]` a layer,
/// implement this trait.
///
/// ```
/// # use graph_runtime::prelude::*;
/// use graph_runtime::nn::{Dense, Layer, Module, Sequential};
///
/// /// Adds the output of a layer to its input.
/// #[derive(Module)]
/// struct Residual(Dense);
///
/// impl Layer for Residual {
///     fn forward(&self, x: &Tensor<f32>, _training: bool) -> Tensor<f32> {
///         x + self.0.call(x)
///     }
/// }
///
/// let model = Sequential::new().with(Residual(Dense::new(4, 4))).with(Dense::new(4, 1));
/// assert_eq!(model.call(zeros::<f32>(&[2, 4]), false).shape().to_string(), "[2,1]");
/// ```
pub trait Layer: Module + AnyArgument + Send + Sync {
    /// The layer's output; `training` says whether the model is being trained.
    fn forward(&self, x: &Tensor<f32>, training: bool) -> Tensor<f32>;

    /// [`forward`](Self::forward) as a [`Sequential`] calls it. Errors in layers of this library have the line that calls the `Sequential`;
    /// errors in other layers have a line of the layer.
    #[doc(hidden)]
    fn forward_at(&self, _: &Caller, x: &Tensor<f32>, training: bool) -> Tensor<f32> {
        Caller::hidden(|| self.forward(x, training))
    }

    /// Writes the type, so that the signature tells types with the same name and fields apart.
    #[doc(hidden)]
    fn write_type(&self, signature: &mut Signature) {
        signature.type_of::<Self>();
    }
}

/// Implements `Layer` for layers whose `call` takes the input, and for those whose `call` also takes `training`.
macro_rules! layers {
    ($($layer:ty $(, $training:ident)?;)*) => { $(
        impl Layer for $layer {
            fn forward(&self, x: &Tensor<f32>, _training: bool) -> Tensor<f32> {
                self.call(x $(, layers!(@ $training _training))?)
            }
            fn forward_at(&self, at: &Caller, x: &Tensor<f32>, training: bool) -> Tensor<f32> {
                at.stands_in(|| self.forward(x, training))
            }
        }
    )* };
    (@ training $training:ident) => { $training };
}
layers! {
    AvgPool2D;
    BatchNorm, training;
    Conv1D;
    Conv2D;
    Dense;
    Dropout, training;
    Flatten;
    GlobalAvgPool2D;
    GroupNorm;
    Gru;
    LayerNorm;
    Lstm;
    MaxPool2D;
    Reshape;
    RmsNorm;
    Sequential, training;
}

impl Layer for Activation {
    fn forward(&self, x: &Tensor<f32>, _: bool) -> Tensor<f32> {
        self.apply(x)
    }
    fn forward_at(&self, at: &Caller, x: &Tensor<f32>, training: bool) -> Tensor<f32> {
        at.stands_in(|| self.forward(x, training))
    }
}

/// A chain of layers: the output of each layer is the input of the next. (`keras.Sequential`)
///
/// ```
/// # use graph_runtime::prelude::*;
/// use graph_runtime::nn::{Activation, Dense, Flatten, Module, Sequential};
/// let model = Sequential::new()
///     .with(Flatten)
///     .with(Dense::new(784, 100).activation(Activation::Relu))
///     .with(Dense::new(100, 10));
/// assert_eq!(model.call(zeros::<f32>(&[32, 28, 28]), false).shape().to_string(), "[32,10]");
/// assert_eq!(model.parameters()[0].name(), "1.kernel");
/// ```
#[derive(Default)]
pub struct Sequential {
    layers: Vec<Box<dyn Layer>>,
}

impl Sequential {
    /// Makes a chain without layers, whose output is its input.
    pub fn new() -> Sequential {
        Sequential::default()
    }

    /// Adds a layer at the end.
    #[doc(alias("append"))]
    #[must_use]
    pub fn with(mut self, layer: impl Layer + 'static) -> Sequential {
        self.layers.push(Box::new(layer));
        self
    }

    /// [`with`](Self::with), by the name that Keras and candle have for it.
    #[expect(
        clippy::should_implement_trait,
        reason = "a chain isn't a sum, and the name is the one that people know"
    )]
    #[must_use]
    pub fn add(self, layer: impl Layer + 'static) -> Sequential {
        self.with(layer)
    }

    /// The output of the last layer; `training` says whether the model is being trained.
    #[track_caller]
    pub fn call(&self, x: impl AsOperand<f32>, training: bool) -> Tensor<f32> {
        let (mut x, caller) = (super::input(x), Caller::here());
        for layer in &self.layers {
            x = layer.forward_at(&caller, &x, training);
        }
        x
    }

    /// The layers.
    pub fn layers(&self) -> &[Box<dyn Layer>] {
        &self.layers
    }

    /// [`summary`](Module::summary) with the shape of each layer's output for an example of this shape, without the batch axis. To find the
    /// shapes, the layers are called with one example of zeros.
    ///
    /// ```
    /// use graph_runtime::nn::{Dense, Sequential};
    /// let model = Sequential::new().with(Dense::new(784, 100)).with(Dense::new(100, 10));
    /// println!("{}", model.summary_for(&[784]));
    /// # assert!(model.summary_for(&[784]).to_string().contains("│ 1 (Dense)                       │ (None, 10)             │         1,010 │"));
    /// ```
    ///
    /// # Errors
    /// If a layer doesn't accept the output of the one before it.
    #[track_caller]
    pub fn summary_for(&self, shape: &[usize]) -> Summary {
        let sizes: Vec<usize> = [1].iter().chain(shape).copied().collect();
        let mut x = zeros::<f32>(&sizes);
        let (mut shapes, caller) = (Vec::new(), Caller::here());
        for layer in &self.layers {
            x = layer.forward_at(&caller, &x, false);
            let shape = x.shape();
            let sizes = shape.dims().unwrap_or_default().iter().skip(1);
            let sizes = sizes.map(|size| size.map_or("None".to_owned(), |n| n.to_string()));
            let sizes: Vec<String> = ["None".to_owned()].into_iter().chain(sizes).collect();
            shapes.push(format!("({})", sizes.join(", ")));
        }
        self.summary().with_shapes(shapes)
    }
}

impl Module for Sequential {
    fn visit(&self, visitor: &mut Visitor<'_>) {
        visitor.module("Sequential", |visitor| self.layers.visit(visitor));
    }
}

impl Argument for Sequential {
    fn trace_type(&self, signature: &mut Signature) {
        signature.sequence(Sequence::Struct, 2 * self.layers.len());
        for layer in &self.layers {
            layer.write_type(signature);
            layer.trace_type(signature);
        }
    }
}

impl Sources for Sequential {
    type Gradients = Vec<Gradient>;
    type Filled = Vec<Gradient>;
    fn sources(&self, to: &mut Vec<Source>) {
        crate::nn::sources(self, to);
    }
    fn gradients(&self, next: &mut dyn FnMut() -> Option<AnyTensor>) -> Vec<Gradient> {
        crate::nn::gradients(self, next)
    }
    fn filled(&self, next: &mut dyn FnMut() -> AnyTensor) -> Vec<Gradient> {
        crate::nn::gradients(self, &mut || Some(next()))
    }
}
