//! The arguments of gradients: the targets and the sources, which are tensors, variables, or structures of them. A gradient has the
//! structure of the sources.

use std::collections::BTreeMap;
use std::sync::Arc;

use graph_kernels::Element;

use super::witnesses::record_op;
use crate::error::Location;
use crate::ops::{self, Attr, Attrs};
use crate::state::Nest;
use crate::tensor::Tensor;
use crate::trace::{self, AnyTensor};
use crate::tuples::up_to_twelve;
use crate::variable::{Place, Variable};

/// One tensor or variable that a gradient is taken with respect to.
#[doc(hidden)]
#[derive(Clone)]
pub enum Source {
    /// A tensor.
    Tensor(AnyTensor),
    /// The value of a variable, at each of its reads.
    Variable(Arc<Place>),
}

impl Source {
    /// The source for a tensor; a tensor that a variable lends becomes the variable.
    fn of(tensor: &AnyTensor) -> Source {
        match tensor.variable() {
            Some(place) => Source::Variable(place.clone()),
            None => Source::Tensor(tensor.clone()),
        }
    }

    /// A tensor of the source's type and shape.
    pub(super) fn value(&self, location: &Location) -> AnyTensor {
        match self {
            Source::Tensor(tensor) => tensor.clone(),
            Source::Variable(place) => trace::read_variable(place, location.clone()),
        }
    }

    pub(super) fn into_tensor(self) -> Option<AnyTensor> {
        match self {
            Source::Tensor(tensor) => Some(tensor),
            Source::Variable(_) => None,
        }
    }
}

/// Tensors and variables that a gradient is taken with respect to: a single one, or a tuple, array, `Vec` or map of them; a struct
/// of tensors with `#[derive(GraphState)]`, whose gradient is such a struct; a model with `#[derive(Module)]`.
///
/// ```
/// # use graph_runtime::prelude::*;
/// use graph_runtime::GraphState;
/// use graph_runtime::autodiff::grad;
///
/// #[derive(Clone, GraphState)]
/// struct Line {
///     slope: Tensor<f32>,
///     offset: Tensor<f32>,
/// }
///
/// let line = Line { slope: tensor(2.0), offset: tensor(1.0) };
/// let error = |line: &Line| (&line.slope * 3.0 + &line.offset - 10.0).square();
/// let d = grad(error)(&line);
/// assert_eq!((d.slope.item(), d.offset.item()), (-18.0, -6.0));
/// ```
pub trait Sources {
    /// The gradients, in the same structure: an `Option<Tensor>` for each tensor or variable.
    type Gradients;
    /// The gradients, in the same structure, with zeros for missing ones: a `Tensor` for each tensor or variable.
    type Filled;
    /// Lists the sources.
    #[doc(hidden)]
    fn sources(&self, to: &mut Vec<Source>);
    /// Builds the gradients; `next` yields them in the order of the sources.
    #[doc(hidden)]
    fn gradients(&self, next: &mut dyn FnMut() -> Option<AnyTensor>) -> Self::Gradients;
    /// Builds the gradients from a complete list.
    #[doc(hidden)]
    fn filled(&self, next: &mut dyn FnMut() -> AnyTensor) -> Self::Filled;
    /// The sources with tensors that are distinct from all others. A function of them then treats a captured tensor as a constant,
    /// even if it is the very tensor that the function is applied to. `None` if the sources can't be copied.
    #[doc(hidden)]
    fn apart(&self, location: &Location) -> Option<Self>
    where
        Self: Sized,
    {
        let _ = location;
        None
    }
}

/// A distinct tensor with the same values, through which gradients flow.
fn tensor_apart(tensor: &AnyTensor, location: &Location) -> AnyTensor {
    let mut apart = tensor.clone();
    set_apart(&mut apart, location);
    apart
}

/// Replaces a tensor by a distinct one with the same values; gradients flow on to the original.
pub(crate) fn set_apart(tensor: &mut AnyTensor, location: &Location) {
    let attrs = Attrs::new().with("shape", Attr::Shape(tensor.shape()));
    // A placeholder is no value of the surrounding graph.
    let is_only_a_type = tensor.is_placeholder() && !trace::is_entered(tensor);
    if trace::is_tracing() && !is_only_a_type {
        *tensor = trace::apply(&ops::RELAX_SHAPE, attrs, &[tensor], location.clone());
        return;
    }
    let given = tensor.clone();
    tensor.make_distinct();
    record_op(&ops::RELAX_SHAPE, &attrs, &[&given], tensor, location);
}

/// The target of a gradient: a tensor, or several, which are summed.
pub trait Targets {
    /// Lists the tensors.
    #[doc(hidden)]
    fn targets(&self, to: &mut Vec<AnyTensor>);
}

impl<T: Nest> Targets for T {
    fn targets(&self, to: &mut Vec<AnyTensor>) {
        self.leaves(&mut |tensor| to.push(tensor.clone()));
    }
}

impl<T: Element, S> Sources for Tensor<T, S> {
    type Gradients = Option<Tensor<T, S>>;
    type Filled = Tensor<T>;
    fn sources(&self, to: &mut Vec<Source>) {
        to.push(Source::of(self.as_any()));
    }
    fn gradients(&self, next: &mut dyn FnMut() -> Option<AnyTensor>) -> Self::Gradients {
        next().map(Tensor::from_any)
    }
    fn filled(&self, next: &mut dyn FnMut() -> AnyTensor) -> Self::Filled {
        Tensor::from_any(next())
    }
    fn apart(&self, location: &Location) -> Option<Self> {
        Some(Tensor::from_any(tensor_apart(self.as_any(), location)))
    }
}

impl<T: Element, S> Sources for Variable<T, S> {
    type Gradients = Option<Tensor<T, S>>;
    type Filled = Tensor<T>;
    fn sources(&self, to: &mut Vec<Source>) {
        to.push(Source::Variable(self.place().clone()));
    }
    fn gradients(&self, next: &mut dyn FnMut() -> Option<AnyTensor>) -> Self::Gradients {
        next().map(Tensor::from_any)
    }
    fn filled(&self, next: &mut dyn FnMut() -> AnyTensor) -> Self::Filled {
        Tensor::from_any(next())
    }
    fn apart(&self, _: &Location) -> Option<Self> {
        Some(self.clone())
    }
}

impl<X: Sources + ?Sized> Sources for &X {
    type Gradients = X::Gradients;
    type Filled = X::Filled;
    fn sources(&self, to: &mut Vec<Source>) {
        (**self).sources(to);
    }
    fn gradients(&self, next: &mut dyn FnMut() -> Option<AnyTensor>) -> Self::Gradients {
        (**self).gradients(next)
    }
    fn filled(&self, next: &mut dyn FnMut() -> AnyTensor) -> Self::Filled {
        (**self).filled(next)
    }
    fn apart(&self, _: &Location) -> Option<Self> {
        Some(self)
    }
}

impl<X: Sources> Sources for Vec<X> {
    type Gradients = Vec<X::Gradients>;
    type Filled = Vec<X::Filled>;
    fn sources(&self, to: &mut Vec<Source>) {
        self.as_slice().sources(to);
    }
    fn gradients(&self, next: &mut dyn FnMut() -> Option<AnyTensor>) -> Self::Gradients {
        self.as_slice().gradients(next)
    }
    fn filled(&self, next: &mut dyn FnMut() -> AnyTensor) -> Self::Filled {
        self.as_slice().filled(next)
    }
    fn apart(&self, location: &Location) -> Option<Self> {
        self.iter().map(|x| x.apart(location)).collect()
    }
}

impl<X: Sources> Sources for [X] {
    type Gradients = Vec<X::Gradients>;
    type Filled = Vec<X::Filled>;
    fn sources(&self, to: &mut Vec<Source>) {
        self.iter().for_each(|x| x.sources(to));
    }
    fn gradients(&self, next: &mut dyn FnMut() -> Option<AnyTensor>) -> Self::Gradients {
        self.iter().map(|x| x.gradients(next)).collect()
    }
    fn filled(&self, next: &mut dyn FnMut() -> AnyTensor) -> Self::Filled {
        self.iter().map(|x| x.filled(next)).collect()
    }
}

impl<X: Sources, const N: usize> Sources for [X; N] {
    type Gradients = [X::Gradients; N];
    type Filled = [X::Filled; N];
    fn sources(&self, to: &mut Vec<Source>) {
        self.iter().for_each(|x| x.sources(to));
    }
    fn gradients(&self, next: &mut dyn FnMut() -> Option<AnyTensor>) -> Self::Gradients {
        self.each_ref().map(|x| x.gradients(next))
    }
    fn filled(&self, next: &mut dyn FnMut() -> AnyTensor) -> Self::Filled {
        self.each_ref().map(|x| x.filled(next))
    }
    fn apart(&self, location: &Location) -> Option<Self> {
        let all: Option<Vec<X>> = self.iter().map(|x| x.apart(location)).collect();
        all?.try_into().ok()
    }
}

impl<X: Sources> Sources for Option<X> {
    type Gradients = Option<X::Gradients>;
    type Filled = Option<X::Filled>;
    fn sources(&self, to: &mut Vec<Source>) {
        self.iter().for_each(|x| x.sources(to));
    }
    fn gradients(&self, next: &mut dyn FnMut() -> Option<AnyTensor>) -> Self::Gradients {
        self.as_ref().map(|x| x.gradients(next))
    }
    fn filled(&self, next: &mut dyn FnMut() -> AnyTensor) -> Self::Filled {
        self.as_ref().map(|x| x.filled(next))
    }
    fn apart(&self, location: &Location) -> Option<Self> {
        match self {
            Some(x) => x.apart(location).map(Some),
            None => Some(None),
        }
    }
}

impl<K: Ord + Clone, X: Sources> Sources for BTreeMap<K, X> {
    type Gradients = BTreeMap<K, X::Gradients>;
    type Filled = BTreeMap<K, X::Filled>;
    fn sources(&self, to: &mut Vec<Source>) {
        self.values().for_each(|x| x.sources(to));
    }
    fn gradients(&self, next: &mut dyn FnMut() -> Option<AnyTensor>) -> Self::Gradients {
        let entries = self.iter();
        entries
            .map(|(k, x)| (k.clone(), x.gradients(next)))
            .collect()
    }
    fn filled(&self, next: &mut dyn FnMut() -> AnyTensor) -> Self::Filled {
        let entries = self.iter();
        entries.map(|(k, x)| (k.clone(), x.filled(next))).collect()
    }
    fn apart(&self, location: &Location) -> Option<Self> {
        let entries = self.iter();
        entries
            .map(|(k, x)| Some((k.clone(), x.apart(location)?)))
            .collect()
    }
}

macro_rules! tuples {
    ($(($($name:ident $index:tt),*))*) => { $(
        impl<$($name: Sources),*> Sources for ($($name,)*) {
            type Gradients = ($($name::Gradients,)*);
            type Filled = ($($name::Filled,)*);
            fn sources(&self, to: &mut Vec<Source>) { $(self.$index.sources(to);)* }
            fn gradients(&self, next: &mut dyn FnMut() -> Option<AnyTensor>) -> Self::Gradients {
                ($(self.$index.gradients(next),)*)
            }
            fn filled(&self, next: &mut dyn FnMut() -> AnyTensor) -> Self::Filled {
                ($(self.$index.filled(next),)*)
            }
            fn apart(&self, location: &Location) -> Option<Self> {
                Some(($(self.$index.apart(location)?,)*))
            }
        }
    )* };
}
up_to_twelve!(tuples);

/// The tensors of a target.
pub(super) fn all_targets(targets: &impl Targets) -> Vec<AnyTensor> {
    let mut all = Vec::new();
    targets.targets(&mut all);
    all
}

/// The sources one by one.
pub(super) fn all_sources(sources: &impl Sources) -> Vec<Source> {
    let mut all = Vec::new();
    sources.sources(&mut all);
    all
}

/// Used by `#[derive(GraphState)]` to implement [`Sources`] for a struct of tensors.
#[doc(hidden)]
pub mod of_struct {
    use super::super::term::Term;
    use super::Source;
    use crate::error::Location;
    use crate::state::Nest;
    use crate::trace::AnyTensor;

    pub fn sources<T: Nest>(value: &T, to: &mut Vec<Source>) {
        value.leaves(&mut |tensor| to.push(Source::Tensor(tensor.clone())));
    }

    /// `None` if no tensor has a gradient; else missing gradients are zeros.
    pub fn gradients<T: Nest>(value: &T, next: &mut dyn FnMut() -> Option<AnyTensor>) -> Option<T> {
        let mut all = Vec::new();
        value.leaves(&mut |tensor| all.push((tensor.clone(), next())));
        if all.iter().all(|(_, gradient)| gradient.is_none()) {
            return None;
        }
        let zeros = |tensor| Term::new(tensor, &Location::unknown()).zeros_like().tensor;
        let mut filled = all
            .into_iter()
            .map(|(x, gradient)| gradient.unwrap_or_else(|| zeros(x)));
        Some(T::rebuild(&value.structure()?, &mut || {
            filled.next().expect("a gradient for each tensor")
        }))
    }

    pub fn each<T: Nest, D>(value: &T, next: &mut dyn FnMut() -> D) -> Vec<D> {
        let mut all = Vec::new();
        value.leaves(&mut |_| all.push(next()));
        all
    }

    pub fn apart<T: Nest>(value: &T, location: &Location) -> Option<T> {
        let mut all = Vec::new();
        value.leaves(&mut |tensor| all.push(super::tensor_apart(tensor, location)));
        let mut all = all.into_iter();
        let mut next = || all.next().expect("a tensor in each place");
        Some(T::rebuild(&value.structure()?, &mut next))
    }

    /// # Panics
    /// If the value has no structure. Values that a graph can carry always have one.
    pub fn filled<T: Nest>(value: &T, next: &mut dyn FnMut() -> AnyTensor) -> T {
        let structure = value.structure();
        T::rebuild(&structure.expect("graph state has a structure"), next)
    }
}
