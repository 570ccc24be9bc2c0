//! `Parameter`: a variable of a model, with its name and without a static type.

use std::fmt;
use std::sync::Arc;

use graph_kernels::{Array, DType, Element};

use super::gradient::Gradient;
use super::module::{Module, Visitor};
use crate::autodiff::{GradientTape, PersistentTape, Source, Sources};
use crate::device;
use crate::error::Location;
use crate::function::{Argument, Signature};
use crate::graph::Shape;
use crate::trace::{self, AnyTensor};
use crate::variable::{Place, Variable};

/// A variable of a model and its name there: see [`Module::parameters`](super::Module::parameters).
///
/// ```
/// use graph_runtime::nn::{Dense, Module};
/// let parameters = Dense::new(3, 2).parameters();
/// let kernel = &parameters[0];
/// assert_eq!(kernel.to_string(), "kernel: float32[3,2]");
/// assert_eq!(kernel.variable::<f32>().unwrap().read().to_vec().len(), 6);
/// ```
#[derive(Clone)]
pub struct Parameter {
    name: Arc<str>,
    place: Arc<Place>,
    trainable: bool,
}

impl Parameter {
    pub(super) fn new(name: &str, place: &Arc<Place>, trainable: bool) -> Parameter {
        Parameter {
            name: Arc::from(name),
            place: place.clone(),
            trainable,
        }
    }

    /// The path of fields that leads to the variable.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether an optimizer trains the variable.
    pub fn is_trainable(&self) -> bool {
        self.trainable
    }

    /// Its declared shape.
    pub fn shape(&self) -> Shape {
        self.place.ty().shape.clone()
    }

    /// Its dtype.
    pub fn dtype(&self) -> DType {
        self.place.ty().dtype
    }

    /// The number of its values.
    pub fn count(&self) -> usize {
        self.place.read().count()
    }

    /// Its value now.
    ///
    /// # Panics
    /// If the device that holds the value fails to return it.
    #[track_caller]
    pub fn array(&self) -> Arc<Array> {
        device::transfers_are_of(&Location::caller());
        trace::or_fail(self.place.read().to_host())
    }

    /// The variable, if its elements are of type `T`.
    pub fn variable<T: Element>(&self) -> Option<Variable<T>> {
        (self.dtype() == T::DTYPE).then(|| Variable::at(self.place.clone()))
    }

    pub(super) fn place(&self) -> &Arc<Place> {
        &self.place
    }
}

impl fmt::Display for Parameter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.name, self.place.ty())
    }
}

impl fmt::Debug for Parameter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Parameter({self})")
    }
}

impl Argument for Parameter {
    fn trace_type(&self, signature: &mut Signature) {
        signature.variable(&self.place);
    }
}

impl Module for Parameter {
    fn visit(&self, visitor: &mut Visitor<'_>) {
        visitor.variable(&self.place);
    }
}

impl Sources for Parameter {
    type Gradients = Gradient;
    type Filled = Gradient;
    fn sources(&self, to: &mut Vec<Source>) {
        to.push(Source::Variable(self.place.clone()));
    }
    fn gradients(&self, next: &mut dyn FnMut() -> Option<AnyTensor>) -> Gradient {
        Gradient::new(next())
    }
    fn filled(&self, next: &mut dyn FnMut() -> AnyTensor) -> Gradient {
        Gradient::new(Some(next()))
    }
}

/// The variables that a tape watched, as parameters with the variables' own names.
fn watched(places: Vec<Arc<Place>>) -> Vec<Parameter> {
    let parameter = |place: &Arc<Place>| Parameter::new(place.name(), place, true);
    places.iter().map(parameter).collect()
}

impl GradientTape {
    /// The float variables that were read while the tape recorded, as a list to compute gradients with respect to all of them.
    ///
    /// ```
    /// # use graph_runtime::prelude::*;
    /// let (v, w) = (Variable::new(tensor(2.0f32)), Variable::new(tensor(5.0f32)));
    /// let tape = GradientTape::new();
    /// let y = &v * &v;
    /// let read = tape.watched_variables();
    /// let gradients = tape.gradient(&y, &read);
    /// assert_eq!(gradients.len(), 1);
    /// assert_eq!(gradients[0].tensor::<f32>().unwrap().item(), 4.0);
    /// ```
    #[must_use]
    pub fn watched_variables(&self) -> Vec<Parameter> {
        watched(self.variables())
    }
}

impl PersistentTape {
    /// See [`GradientTape::watched_variables`].
    #[must_use]
    pub fn watched_variables(&self) -> Vec<Parameter> {
        watched(self.variables())
    }
}
