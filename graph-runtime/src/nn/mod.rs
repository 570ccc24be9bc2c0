//! Neural networks: models as structs with variables, layers, losses, optimizers and metrics, with the names, defaults and formulas of
//! Keras. Everything here uses the public tensors and variables, so under `#[graph_fn]` it is traced like any other Rust code and fused
//! with the code around it.
//!
//! [The guide](crate::guide::models) has a page on models and training, and [one on files](crate::guide::saving).
//!
//! A model is a struct. [`Module`] finds its variables, a tape computes gradients, and an optimizer applies them:
//!
//! ```
//! use graph_runtime::nn::{Activation, Adam, Dense, Module, losses};
//! use graph_runtime::prelude::*;
//!
//! #[derive(Module)]
//! struct Model {
//!     hidden: Dense,
//!     scores: Dense,
//! }
//!
//! impl Model {
//!     fn call(&self, x: &Tensor<f32>) -> Tensor<f32> {
//!         self.scores.call(self.hidden.call(x))
//!     }
//! }
//!
//! #[graph_fn]
//! fn train(model: &Model, adam: &Adam, x: Tensor<f32>, y: Tensor<i64>, steps: Tensor<i32>) -> Tensor<f32> {
//!     let mut loss = tensor(0.0);
//!     for _ in 0..steps {
//!         let tape = GradientTape::new();
//!         loss = losses::sparse_categorical_crossentropy_from_logits(&y, model.call(&x)).mean();
//!         adam.apply(&tape.gradient(&loss, model), model);
//!     }
//!     loss
//! }
//!
//! let model = Model {
//!     hidden: Dense::new(2, 16).activation(Activation::Tanh),
//!     scores: Dense::new(16, 2),
//! };
//! let adam = Adam::new(&model).learning_rate(0.1);
//! let x = tensor([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]]);
//! let loss = train(&model, &adam, x, tensor([0i64, 1, 1, 0]), tensor(100));
//! assert!(loss.item() < 0.1, "{loss}");
//! ```
//!
//! - [`Module`], `module.rs`: the variables of a model by name, their number and a table of them; `gradient.rs`: the gradients of a model;
//! - `safetensors.rs`: models in files, with the feature `safetensors`; `loaded.rs`: functions from files as models;
//! - `initial.rs`: initial values of variables; `activation.rs`: activations; `layers/`: one file for each kind of layer;
//! - [`losses`], [`metrics`], [`schedules`];
//! - `optimizer/`: what all optimizers have in common, and one file for the rule of each.

mod activation;
mod gradient;
mod initial;
mod layers;
mod loaded;
pub mod losses;
pub mod metrics;
mod module;
mod optimizer;
mod parameter;
#[cfg(feature = "safetensors")]
mod safetensors;
pub mod schedules;
mod summary;

pub use activation::Activation;
pub use gradient::{Gradient, Gradients, clip_by_global_norm, clip_by_norm, clip_by_value};
#[doc(hidden)]
pub use gradient::{gradients, sources};
/// Makes a struct or enum part of a model: it becomes a [`Module`], an argument of graph functions (without `#[derive(TraceType)]`), and a
/// source that a tape can compute gradients with respect to.
///
/// Each field must be a module or a plain value. `#[module(frozen)]` on a field excludes its variables from training; `#[module(ignore)]`
/// hides the field from the model. Attributes of `TraceType` may be added.
///
/// ```
/// # use graph_runtime::prelude::*;
/// use graph_runtime::nn::Module;
///
/// #[derive(Module)]
/// struct Line {
///     slope: Variable<f32>,
///     #[module(frozen)]
///     offset: Variable<f32>,
///     unit: String,
/// }
///
/// impl Line {
///     #[graph_fn]
///     pub fn at(&self, x: Tensor<f32>) -> Tensor<f32> {
///         x * &self.slope + &self.offset
///     }
/// }
///
/// let line = Line {
///     slope: Variable::new(tensor(2.0)),
///     offset: Variable::new(tensor(1.0)),
///     unit: "m".to_owned(),
/// };
/// let names: Vec<String> = line.parameters().iter().map(|p| p.name().to_owned()).collect();
/// assert_eq!(names, ["slope", "offset"]);
/// assert_eq!(line.trainable_variables().len(), 1);
/// assert_eq!(line.at(tensor(3.0)).item(), 7.0);
/// ```
pub use graph_macros::Module;
pub use layers::{
    AttentionCache, AvgPool2D, BatchNorm, Conv1D, Conv2D, Dense, Dropout, Embedding, Flatten,
    GlobalAvgPool2D, GroupNorm, Gru, GruCell, Layer, LayerNorm, Lstm, LstmCell, MaxPool2D,
    MultiHeadAttention, Reshape, RmsNorm, Sequential,
};
pub use module::{Module, Visitor};
pub use optimizer::{
    Adam, AdamRule, AdamW, AdamWRule, Optimizer, RmsProp, RmsPropRule, Rule, Sgd, SgdRule,
    TrainingStep,
};
pub use parameter::Parameter;
#[cfg(feature = "safetensors")]
pub use safetensors::{FileError, LeftOut};
pub use summary::Summary;
