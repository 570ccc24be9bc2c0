//! A loaded function as a model: its variables are listed, saved and trained like those of any other.

use super::gradient::{self, Gradient};
use super::module::{Module, Visitor};
use super::parameter::Parameter;
use crate::autodiff::{Source, Sources, is_differentiable};
use crate::function::LoadedFunction;
use crate::trace::AnyTensor;

/// A model whose variables are those that belong to the function, by their names there. An optimizer trains those of floats.
///
/// ```
/// # use graph_runtime::prelude::*;
/// use graph_runtime::nn::{Dense, Module, Sgd};
///
/// #[graph_fn]
/// fn predict(model: &Dense, x: Tensor<f32>) -> Tensor<f32> {
///     model.call(x)
/// }
/// # fn main() -> graph_runtime::Result<()> {
/// # let model = Dense::new(2, 1);
/// let model = predict::concrete(&model, TensorSpec::new(&[None, Some(2)]))?.bind(&model)?; // or from a file
/// let sgd = Sgd::new(&model);
/// let tape = GradientTape::new();
/// let y: Tensor<f32> = model.call(tensor([[3.0f32, 4.0]]))?;
/// sgd.apply(&tape.gradient(&y, &model), &model);
/// let names: Vec<_> = Module::parameters(&model).iter().map(|p| p.name().to_owned()).collect();
/// assert_eq!(names, ["model.kernel", "model.bias"]);
/// # Ok(())
/// # }
/// ```
impl Module for LoadedFunction {
    fn visit(&self, visitor: &mut Visitor<'_>) {
        visitor.module("LoadedFunction", |visitor| {
            let values = self.function().held_variables().iter();
            for (value, place) in values.zip(self.variables()) {
                let name = value.name.as_ref().unwrap_or(place.name());
                let variable = Parameter::new("", place, true);
                match is_differentiable(place.ty().dtype) {
                    true => visitor.field(name, &variable),
                    false => visitor.frozen(name, &variable),
                }
            }
        });
    }
}

impl Sources for LoadedFunction {
    type Gradients = Vec<Gradient>;
    type Filled = Vec<Gradient>;
    fn sources(&self, to: &mut Vec<Source>) {
        gradient::sources(self, to);
    }
    fn gradients(&self, next: &mut dyn FnMut() -> Option<AnyTensor>) -> Vec<Gradient> {
        gradient::gradients(self, next)
    }
    fn filled(&self, next: &mut dyn FnMut() -> AnyTensor) -> Vec<Gradient> {
        gradient::gradients(self, &mut || Some(next()))
    }
}
