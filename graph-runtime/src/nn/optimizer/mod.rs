//! Optimizers, which change variables by their gradients. `Optimizer` is what they have in common: the learning rate, clipping, the count
//! of steps, and the state of each variable. Each [`Rule`] has a file of its own. All state is in variables, so a step works the same
//! eagerly and in a graph, where it becomes updates in place.

mod adam;
mod rms_prop;
mod sgd;

pub use adam::{Adam, AdamRule, AdamW, AdamWRule};
pub use rms_prop::{RmsProp, RmsPropRule};
pub use sgd::{Sgd, SgdRule};

use std::fmt;
use std::sync::Arc;

use graph_kernels::{DType, bf16, f16};

use super::gradient::{Gradient, Gradients, clip_by_global_norm, clip_by_norm, clip_by_value};
use super::module::{Module, Visitor};
use super::parameter::Parameter;
use super::schedules::Schedule;
use crate::TraceType;
use crate::autodiff::{Source, Sources};
use crate::device;
use crate::error::{Error, Location};
use crate::function::{Argument, Sequence, Signature};
use crate::tensor::{Float, Tensor, tensor, zeros};
use crate::trace::{self, AnyTensor};
use crate::variable::{Place, Variable};

/// The formula of an optimizer for one variable, and the state that it needs. To write an optimizer of your own, implement this trait and
/// use an [`Optimizer`] with it.
///
/// ```
/// # use graph_runtime::prelude::*;
/// use graph_runtime::nn::{Module, Optimizer, Rule, TrainingStep};
/// use graph_runtime::tensor::Float;
///
/// /// Uses only the sign of the gradient.
/// #[derive(Clone, Module)]
/// struct SignRule;
///
/// impl Rule for SignRule {
///     fn slots(&self) -> &'static [&'static str] {
///         &[]
///     }
///     fn change<T: Float>(&self, variable: &Variable<T>, gradient: &Tensor<T>, _: &[Variable<T>], step: &TrainingStep) {
///         variable.assign_sub(gradient.sign() * step.rate::<T>());
///     }
/// }
///
/// let w = Variable::new(tensor([1.0, 2.0]));
/// let optimizer = Optimizer::with_rule(SignRule, 0.5, &w);
/// optimizer.apply(&Some(tensor([-3.0, 0.1])), &w);
/// assert_eq!(w.read().to_vec(), [1.5, 1.5]);
/// ```
pub trait Rule: Module + Argument {
    /// The names of the state variables for each trained variable. They have its type and start as zeros.
    fn slots(&self) -> &'static [&'static str];

    /// Changes a variable and its state variables, `slots`.
    #[track_caller]
    fn change<T: Float>(
        &self,
        variable: &Variable<T>,
        gradient: &Tensor<T>,
        slots: &[Variable<T>],
        step: &TrainingStep,
    );
}

/// The learning rate and the number of a training step.
pub struct TrainingStep {
    rate: Tensor<f32>,
    count: Tensor<f32>,
}

impl TrainingStep {
    /// The learning rate.
    #[track_caller]
    pub fn rate<T: Float>(&self) -> Tensor<T> {
        self.rate.cast()
    }

    /// The number of the step, from 1.
    pub fn count(&self) -> &Tensor<f32> {
        &self.count
    }
}

/// How gradients are clipped before the rule gets them.
#[derive(Clone, Copy, Debug, TraceType)]
enum Clipping {
    None,
    Value(f32),
    Norm(f32),
    GlobalNorm(f32),
}

/// A variable and its state variables.
#[derive(Clone)]
struct Entry {
    parameter: Parameter,
    slots: Vec<Arc<Place>>,
}

/// An optimizer, which changes the variables of a model by their gradients: see [`Adam`], [`AdamW`], [`Sgd`] and [`RmsProp`].
///
/// It is made for the trainable variables of a model, for a variable, or for a tuple, `Vec` or array of these. If the model is an argument
/// of a graph function, the optimizer must be an argument, too; if the model is a `static`, the optimizer must be one. It is a [`Module`]
/// itself, so [`save`](Module::save) can save the count of steps and the state.
///
/// ```
/// # use graph_runtime::prelude::*;
/// use graph_runtime::nn::Sgd;
/// let (w, b) = (Variable::new(tensor(3.0)), Variable::new(tensor(0.0)));
/// let sgd = Sgd::new(&(&w, &b)).learning_rate(0.25);
/// let tape = GradientTape::new();
/// let loss = (&w + &b).square();
/// let gradients = tape.gradient(&loss, &(&w, &b));
/// sgd.apply(&gradients, &(&w, &b));
/// assert_eq!((w.item(), b.item()), (1.5, -1.5));
/// ```
#[doc(alias("optim", "optax"))]
pub struct Optimizer<R> {
    rule: R,
    rate: Box<dyn Schedule>,
    clipping: Clipping,
    iterations: Variable<i64>,
    entries: Vec<Entry>,
}

/// Making an optimizer.
impl<R: Rule> Optimizer<R> {
    /// Makes an optimizer with a rule for the trainable variables of a model.
    #[track_caller]
    pub fn with_rule(
        rule: R,
        rate: impl Schedule + 'static,
        model: &(impl Module + ?Sized),
    ) -> Optimizer<R> {
        let mut trainable = model.trainable_variables();
        trainable.retain(|parameter| parameter.dtype().is_float());
        // The count of steps is where the variables are, so that a step on another device moves nothing.
        let _scope = trainable.first().map(scope_of);
        let entries = trainable.into_iter().map(|parameter| Entry {
            parameter,
            slots: Vec::new(),
        });
        let mut optimizer = Optimizer {
            rule,
            rate: Box::new(rate),
            clipping: Clipping::None,
            iterations: Variable::named("iterations", tensor(0i64)),
            entries: entries.collect(),
        };
        optimizer.make_slots();
        optimizer
    }

    /// Changes the rule, and makes new state if the rule needs other state variables.
    #[must_use]
    #[track_caller]
    fn ruled(mut self, change: impl FnOnce(&mut R)) -> Optimizer<R> {
        let slots = self.rule.slots();
        change(&mut self.rule);
        if self.rule.slots() != slots {
            self.make_slots();
        }
        self
    }

    #[track_caller]
    fn make_slots(&mut self) {
        for entry in &mut self.entries {
            let place = entry.parameter.place();
            let slots = self.rule.slots().iter();
            let _scope = scope_of(&entry.parameter);
            entry.slots = slots.map(|name| slot(place, name)).collect();
        }
    }

    /// Sets the learning rate: a number, a variable, or one of the [`schedules`](super::schedules).
    #[must_use]
    pub fn learning_rate(mut self, rate: impl Schedule + 'static) -> Optimizer<R> {
        self.rate = Box::new(rate);
        self
    }

    /// Limits each value of the gradients to `-limit..=limit` before a step.
    #[doc(alias("clipvalue"))]
    #[must_use]
    pub fn clip_value(mut self, limit: f32) -> Optimizer<R> {
        self.clipping = Clipping::Value(limit);
        self
    }

    /// Scales each gradient down, if necessary, to a norm of at most `limit` before a step.
    #[doc(alias("clipnorm"))]
    #[must_use]
    pub fn clip_norm(mut self, limit: f32) -> Optimizer<R> {
        self.clipping = Clipping::Norm(limit);
        self
    }

    /// Scales all gradients down by one factor, if necessary, to a common norm of at most `limit` before a step.
    #[doc(alias("global_clipnorm"))]
    #[must_use]
    pub fn global_clip_norm(mut self, limit: f32) -> Optimizer<R> {
        self.clipping = Clipping::GlobalNorm(limit);
        self
    }
}

/// A scope in which tensors are made on the device of a variable.
fn scope_of(parameter: &Parameter) -> device::Scope {
    device::scope(parameter.place().read().device())
}

/// Makes a state variable of zeros for a variable of the model.
#[track_caller]
fn slot(place: &Place, name: &str) -> Arc<Place> {
    let shape = place.read().shape().to_vec();
    let name = format!("{}/{name}", place.name());
    macro_rules! of_type {
        ($type:ty) => {
            Variable::named(&name, zeros::<$type>(&shape))
                .place()
                .clone()
        };
    }
    match place.ty().dtype {
        DType::F64 => of_type!(f64),
        DType::F16 => of_type!(f16),
        DType::BF16 => of_type!(bf16),
        _ => of_type!(f32),
    }
}

const NO_GRADIENTS: &str = "No gradients provided for any variable: the loss depends on none of them by differentiable operations";

/// Using an optimizer.
impl<R: Rule> Optimizer<R> {
    /// Makes one step: changes variables by their gradients from a tape, which have the same structure. Variables without a gradient don't
    /// change.
    ///
    /// # Errors
    /// If no variable has a gradient, if the optimizer wasn't made for one of the variables, or if only one of optimizer and variables is
    /// an argument of the graph function.
    #[doc(alias("apply_gradients", "step"))]
    #[track_caller]
    pub fn apply(&self, gradients: &impl Gradients, variables: &impl Sources) {
        let location = Location::caller();
        let pairs = self.pairs(gradients, variables, &location);
        match pairs {
            Ok(pairs) => self.step(&pairs),
            Err(message) => trace::record(Error::trace(message, location)),
        }
    }

    /// The entry and the clipped gradient of each variable that has a gradient.
    fn pairs(
        &self,
        gradients: &impl Gradients,
        variables: &impl Sources,
        location: &Location,
    ) -> Result<Vec<(&Entry, AnyTensor)>, String> {
        let (mut listed, mut sources) = (Vec::new(), Vec::new());
        gradients.list(&mut listed);
        variables.sources(&mut sources);
        if listed.len() != sources.len() {
            let (n, m) = (listed.len(), sources.len());
            return Err(format!("{n} gradients for {m} variables"));
        }
        let mut pairs = Vec::new();
        for (gradient, source) in listed.into_iter().zip(&sources) {
            if let Some(gradient) = gradient {
                pairs.push((self.entry(source, location)?, gradient));
            }
        }
        if pairs.is_empty() {
            return Err(NO_GRADIENTS.to_owned());
        }
        Ok(self.clipped(pairs))
    }

    fn entry(&self, source: &Source, location: &Location) -> Result<&Entry, String> {
        let Source::Variable(place) = source else {
            return Err("an optimizer changes variables, not tensors".to_owned());
        };
        let mut entries = self.entries.iter();
        let entry = entries.find(|entry| Arc::ptr_eq(entry.parameter.place(), place));
        let entry = entry.ok_or_else(|| {
            let name = place.name();
            format!("the optimizer wasn't made for the variable '{name}': make it for the whole model, `Adam::new(&model)`")
        })?;
        let own = trace::is_argument(self.iterations.place());
        if trace::is_argument(place) != own {
            let (argument, captured) = if own {
                ("optimizer", "model")
            } else {
                ("model", "optimizer")
            };
            return Err(format!(
                "the {argument} is an argument of this graph function and the {captured} isn't: another call could bring another \
                 {argument}. Pass both, or none ({location})"
            ));
        }
        Ok(entry)
    }

    #[track_caller]
    fn clipped<'a>(&self, pairs: Vec<(&'a Entry, AnyTensor)>) -> Vec<(&'a Entry, AnyTensor)> {
        let (entries, gradients): (Vec<&Entry>, Vec<Gradient>) = pairs
            .into_iter()
            .map(|(entry, gradient)| (entry, Gradient::new(Some(gradient))))
            .unzip();
        let gradients = match self.clipping {
            Clipping::None => gradients,
            Clipping::Value(limit) => clip_by_value(&gradients, limit),
            Clipping::Norm(limit) => clip_by_norm(&gradients, limit),
            Clipping::GlobalNorm(limit) => clip_by_global_norm(&gradients, limit).0,
        };
        let gradients = gradients.into_iter().filter_map(Gradient::into_any);
        entries.into_iter().zip(gradients).collect()
    }

    #[track_caller]
    fn step(&self, pairs: &[(&Entry, AnyTensor)]) {
        let before = self.iterations.read().cast::<f32>();
        let step = TrainingStep {
            rate: self.rate.rate(&before),
            count: before + 1.0,
        };
        for (entry, gradient) in pairs {
            match gradient.dtype() {
                DType::F32 => self.change::<f32>(entry, gradient, &step),
                DType::F64 => self.change::<f64>(entry, gradient, &step),
                DType::F16 => self.change::<f16>(entry, gradient, &step),
                DType::BF16 => self.change::<bf16>(entry, gradient, &step),
                _ => {}
            }
        }
        self.iterations.assign_add(1);
    }

    #[track_caller]
    fn change<T: Float>(&self, entry: &Entry, gradient: &AnyTensor, step: &TrainingStep) {
        let handle = |place: &Arc<Place>| Variable::<T>::at(place.clone());
        let slots: Vec<Variable<T>> = entry.slots.iter().map(handle).collect();
        let gradient = Tensor::from_any(gradient.clone());
        let variable = handle(entry.parameter.place());
        self.rule.change(&variable, &gradient, &slots, step);
    }

    /// The number of steps made so far.
    ///
    /// ```
    /// # use graph_runtime::prelude::*;
    /// use graph_runtime::nn::Adam;
    /// let w = Variable::new(tensor(3.0));
    /// let adam = Adam::new(&w);
    /// adam.apply(&Some(tensor(1.0)), &w);
    /// assert_eq!(adam.iterations().item(), 1);
    /// ```
    pub fn iterations(&self) -> &Variable<i64> {
        &self.iterations
    }
}

impl<R: Rule> Argument for Optimizer<R> {
    fn trace_type(&self, signature: &mut Signature) {
        let parts = self.entries.iter().map(|entry| 1 + entry.slots.len());
        signature.sequence(Sequence::Struct, 5 + parts.sum::<usize>());
        self.rule.trace_type(signature);
        self.rate.write_type(signature);
        self.rate.trace_type(signature);
        self.clipping.trace_type(signature);
        self.iterations.trace_type(signature);
        // The variables belong to the signature, because the trace holds which state belongs to which variable.
        for entry in &self.entries {
            signature.variable(entry.parameter.place());
            entry.slots.iter().for_each(|slot| signature.variable(slot));
        }
    }
}

/// The optimizer's own variables: the count of steps, and the state of each variable under that variable's name.
impl<R: Rule> Module for Optimizer<R> {
    fn visit(&self, visitor: &mut Visitor<'_>) {
        visitor.module("Optimizer", |visitor| {
            visitor.frozen("iterations", &self.iterations);
            visitor.frozen("learning_rate", &self.rate);
            for entry in &self.entries {
                for (slot, name) in entry.slots.iter().zip(self.rule.slots()) {
                    let name = match entry.parameter.name() {
                        "" => (*name).to_owned(),
                        parameter => format!("{parameter}.{name}"),
                    };
                    visitor.frozen(name, &Parameter::new("", slot, false));
                }
            }
        });
    }
}

impl<R> fmt::Debug for Optimizer<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "Optimizer({:?})",
            self.entries
                .iter()
                .map(|e| &e.parameter)
                .collect::<Vec<_>>()
        )
    }
}
