//! Gradients with respect to the variables of a model: what a tape returns for a model, how gradients are listed for an optimizer, and how
//! they are clipped.

use std::collections::BTreeMap;
use std::sync::Arc;

use graph_kernels::Element;

use super::module::{Module, Visitor};
use crate::autodiff::{Outputs, Source};
use crate::state::{GraphState, Nest};
use crate::tensor::{Float, Tensor, tensor};
use crate::trace::AnyTensor;
use crate::tuples::up_to_twelve;
use crate::variable::Place;

/// The gradient with respect to one variable of a model. It holds no tensor if the target doesn't depend on the variable.
///
/// ```
/// # use graph_runtime::prelude::*;
/// use graph_runtime::nn::{Dense, Module};
/// let layer = Dense::new(2, 1);
/// let tape = GradientTape::new();
/// let y = layer.call(tensor([[3.0, 4.0]]));
/// let gradients = tape.gradient(&y, &layer);
/// let kernel: Tensor<f32> = gradients[0].tensor().unwrap();
/// assert_eq!(kernel.to_vec(), [3.0, 4.0]);
/// ```
#[derive(Clone)]
pub struct Gradient(Option<AnyTensor>);

impl Gradient {
    pub(super) fn new(gradient: Option<AnyTensor>) -> Gradient {
        Gradient(gradient)
    }

    /// The gradient as a tensor, if there is one and its elements are of type `T`.
    pub fn tensor<T: Element>(&self) -> Option<Tensor<T>> {
        let gradient = self.0.as_ref().filter(|g| g.dtype() == T::DTYPE);
        gradient.cloned().map(Tensor::from_any)
    }

    pub(super) fn into_any(self) -> Option<AnyTensor> {
        self.0
    }

    /// Whether there is no gradient, because the target doesn't depend on the variable.
    pub fn is_none(&self) -> bool {
        self.0.is_none()
    }
}

/// A graph function may return gradients.
#[diagnostic::do_not_recommend]
impl Nest for Gradient {
    type Structure = bool;
    fn structure(&self) -> Option<bool> {
        Some(self.0.is_some())
    }
    fn leaves(&self, visit: &mut dyn FnMut(&AnyTensor)) {
        self.0.iter().for_each(visit);
    }
    fn rebuild(is_some: &bool, next: &mut dyn FnMut() -> AnyTensor) -> Gradient {
        Gradient(is_some.then(next))
    }
}
#[diagnostic::do_not_recommend]
impl GraphState for Gradient {}

/// As an output, a gradient without a tensor has no leaves.
#[diagnostic::do_not_recommend]
impl Outputs for Gradient {
    type Each<D> = Option<D>;
    fn each<D>(&self, next: &mut dyn FnMut() -> D) -> Option<D> {
        self.0.is_some().then(next)
    }
}

/// The trainable variables of a model, each once.
fn trainable(model: &(impl Module + ?Sized)) -> Vec<Arc<Place>> {
    let mut places: Vec<Arc<Place>> = Vec::new();
    let mut frozen: Vec<Arc<Place>> = Vec::new();
    model.visit(&mut Visitor::of_variables(&mut |_, place, trainable| {
        let known = |places: &[Arc<Place>]| places.iter().any(|known| Arc::ptr_eq(known, place));
        if !known(&places) && !known(&frozen) {
            if trainable { &mut places } else { &mut frozen }.push(place.clone());
        }
    }));
    places
}

/// Lists the sources for gradients with respect to a model: its trainable variables.
#[doc(hidden)]
pub fn sources(model: &(impl Module + ?Sized), to: &mut Vec<Source>) {
    to.extend(trainable(model).into_iter().map(Source::Variable));
}

/// The gradients with respect to a model, in the order of its trainable variables.
#[doc(hidden)]
pub fn gradients(
    model: &(impl Module + ?Sized),
    next: &mut dyn FnMut() -> Option<AnyTensor>,
) -> Vec<Gradient> {
    let places = trainable(model);
    places.iter().map(|_| Gradient(next())).collect()
}

/// The result of a tape: a gradient, or a tuple, array, `Vec` or map of gradients.
pub trait Gradients {
    /// Lists the gradients in the order of their sources.
    #[doc(hidden)]
    fn list(&self, to: &mut Vec<Option<AnyTensor>>);
}

impl Gradients for Gradient {
    fn list(&self, to: &mut Vec<Option<AnyTensor>>) {
        to.push(self.0.clone());
    }
}

impl<T: Element, S> Gradients for Tensor<T, S> {
    fn list(&self, to: &mut Vec<Option<AnyTensor>>) {
        to.push(Some(self.as_any().clone()));
    }
}

impl<T: Element, S> Gradients for Option<Tensor<T, S>> {
    fn list(&self, to: &mut Vec<Option<AnyTensor>>) {
        to.push(self.as_ref().map(|gradient| gradient.as_any().clone()));
    }
}

impl<G: Gradients> Gradients for Vec<G> {
    fn list(&self, to: &mut Vec<Option<AnyTensor>>) {
        self.iter().for_each(|g| g.list(to));
    }
}

impl<G: Gradients, const N: usize> Gradients for [G; N] {
    fn list(&self, to: &mut Vec<Option<AnyTensor>>) {
        self.iter().for_each(|g| g.list(to));
    }
}

impl<K, G: Gradients> Gradients for BTreeMap<K, G> {
    fn list(&self, to: &mut Vec<Option<AnyTensor>>) {
        self.values().for_each(|g| g.list(to));
    }
}

macro_rules! tuples {
    ($(($($name:ident $index:tt),*))*) => { $(
        impl<$($name: Gradients),*> Gradients for ($($name,)*) {
            fn list(&self, to: &mut Vec<Option<AnyTensor>>) { $(self.$index.list(to);)* }
        }
    )* };
}
up_to_twelve!(tuples);

/// Runs a body with the type of a float tensor. A tensor of another type is returned unchanged; no gradient has one.
macro_rules! of_float {
    ($any:expr, $x:ident => $body:expr) => {
        of_float!(@ [F32 f32, F64 f64, F16 graph_kernels::f16, BF16 graph_kernels::bf16] $any, $x => $body)
    };
    (@ [$($dtype:ident $type:ty),*] $any:expr, $x:ident => $body:expr) => {
        match $any.dtype() {
            $(graph_kernels::DType::$dtype => {
                let $x = Tensor::<$type>::from_any($any.clone());
                $body.into_any()
            })*
            _ => $any.clone(),
        }
    };
}

/// Applies a function to each tensor and keeps the structure.
fn map<G: Nest>(gradients: &G, change: impl Fn(&AnyTensor) -> AnyTensor) -> G {
    let mut changed = Vec::new();
    gradients.leaves(&mut |gradient| changed.push(change(gradient)));
    let mut changed = changed.into_iter();
    // Only an `Err` has no structure, and then there are no leaves either.
    let structure = gradients.structure().expect("gradients, not an error");
    G::rebuild(&structure, &mut || changed.next().expect("as many leaves"))
}

/// Limits each value to `-limit..=limit`. (`clipvalue` of Keras's optimizers)
///
/// ```
/// # use graph_runtime::prelude::*;
/// use graph_runtime::nn::clip_by_value;
/// let clipped = clip_by_value(&Some(tensor([0.5, -3.0])), 1.0);
/// assert_eq!(clipped.unwrap().to_vec(), [0.5, -1.0]);
/// ```
#[doc(alias("clip_grad_value"))]
#[track_caller]
pub fn clip_by_value<G: Nest>(gradients: &G, limit: f32) -> G {
    map(gradients, |g| of_float!(g, x => limited(&x, limit)))
}

#[track_caller]
fn limited<T: Float>(x: &Tensor<T>, limit: f32) -> Tensor<T> {
    let limit = T::from_f64(limit.into());
    x.clip(-tensor(limit.clone()), limit)
}

/// Scales each gradient down, if necessary, so that its norm is at most `limit`. (`clipnorm` of Keras's optimizers)
///
/// ```
/// # use graph_runtime::prelude::*;
/// use graph_runtime::nn::clip_by_norm;
/// let (a, b) = clip_by_norm(&(tensor([3.0, 4.0]), tensor([0.5])), 1.0);
/// assert_eq!((a.to_vec(), b.to_vec()), (vec![0.6, 0.8], vec![0.5]));
/// ```
#[track_caller]
pub fn clip_by_norm<G: Nest>(gradients: &G, limit: f32) -> G {
    map(
        gradients,
        |g| of_float!(g, x => x.clip_by_norm(tensor(limit).cast())),
    )
}

/// Scales all gradients down by one factor, if necessary, so that their common norm is at most `limit`. Returns them and the norm before.
/// (`tf.clip_by_global_norm`)
///
/// ```
/// # use graph_runtime::prelude::*;
/// use graph_runtime::nn::clip_by_global_norm;
/// let (clipped, norm) = clip_by_global_norm(&[tensor([6.0]), tensor([8.0])], 5.0);
/// assert_eq!(clipped.map(|g| g.item()), [3.0, 4.0]);
/// assert_eq!(norm.item(), 10.0);
/// ```
#[doc(alias("clip_grad_norm"))]
#[track_caller]
pub fn clip_by_global_norm<G: Nest>(gradients: &G, limit: f32) -> (G, Tensor<f32>) {
    let mut squares: Vec<Tensor<f32>> = Vec::new();
    gradients.leaves(&mut |g| {
        let squared = of_float!(g, x => x.square().sum().cast::<f32>());
        squares.push(Tensor::from_any(squared));
    });
    let norm = squares.into_iter().sum::<Tensor<f32>>().sqrt();
    let scale = tensor(limit) / norm.maximum(limit);
    let clipped = map(gradients, |g| of_float!(g, x => x * scale.cast()));
    (clipped, norm)
}
