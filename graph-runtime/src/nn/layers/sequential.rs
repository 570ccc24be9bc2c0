//! `Layer`, what all layers from one float tensor to one have in common, and `Sequential`, a row of them.

use super::super::module::{Module, Visitor};
use super::super::summary::Summary;
use super::{
    AvgPool2D, BatchNorm, Conv2D, Dense, Dropout, Flatten, GlobalAvgPool2D, Gru, LayerNorm, Lstm,
    MaxPool2D, Reshape,
};
use crate::autodiff::{Source, Sources};
use crate::error::Caller;
use crate::function::{AnyArgument, Argument, Sequence, Signature};
use crate::nn::{Activation, Gradient};
use crate::tensor::{AsOperand, Tensor, zeros};
use crate::trace::AnyTensor;

/// A layer from one float tensor to one: what a [`Sequential`] is made of. A struct with `#[derive(Module)]` becomes one by an `impl`.
///
/// ```
/// # use graph_runtime::prelude::*;
/// use graph_runtime::nn::{Dense, Layer, Module, Sequential};
///
/// /// Adds what a layer gives to its input.
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
    /// The layer's output; `training` says whether it is computed to learn from.
    fn forward(&self, x: &Tensor<f32>, training: bool) -> Tensor<f32>;

    /// The same, called by a [`Sequential`]. What goes wrong in a layer of this library goes wrong where the `Sequential` was called; in
    /// another one, on its own lines.
    #[doc(hidden)]
    fn forward_at(&self, _: &Caller, x: &Tensor<f32>, training: bool) -> Tensor<f32> {
        Caller::hidden(|| self.forward(x, training))
    }

    /// Tells types of equal names and fields apart.
    #[doc(hidden)]
    fn write_type(&self, signature: &mut Signature) {
        signature.type_of::<Self>();
    }
}

/// Layers whose `call` takes the input, and those whose `call` also takes `training`.
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
    Conv2D;
    Dense;
    Dropout, training;
    Flatten;
    GlobalAvgPool2D;
    Gru;
    LayerNorm;
    Lstm;
    MaxPool2D;
    Reshape;
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

/// A row of layers: the output of each is the input of the next. (`keras.Sequential`)
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
    /// Without layers: the output is the input.
    pub fn new() -> Sequential {
        Sequential::default()
    }

    /// The same with one more layer at the end.
    #[must_use]
    pub fn with(mut self, layer: impl Layer + 'static) -> Sequential {
        self.layers.push(Box::new(layer));
        self
    }

    /// The output of the last layer; `training` says whether it is computed to learn from.
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

    /// [`summary`](Module::summary) with the shapes that the layers give for examples of this shape, without the batch. They compute
    /// one example of zeros for it.
    ///
    /// ```
    /// use graph_runtime::nn::{Dense, Sequential};
    /// let model = Sequential::new().with(Dense::new(784, 100)).with(Dense::new(100, 10));
    /// println!("{}", model.summary_for(&[784]));
    /// # assert!(model.summary_for(&[784]).to_string().contains("│ 1 (Dense)                       │ (None, 10)             │         1,010 │"));
    /// ```
    ///
    /// # Errors
    /// If a layer can't take what the one before it gives.
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
