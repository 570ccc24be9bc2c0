//! Gradient descent.

use super::{Optimizer, Rule, TrainingStep};
use crate::nn::Module;
use crate::tensor::{Float, Tensor};
use crate::variable::Variable;

/// Stochastic gradient descent, with a rate of 0.01 by default: `w -= rate * g`. With momentum: `v = momentum * v - rate * g`, then `w +=
/// v`, or with Nesterov momentum `w += momentum * v - rate * g`. (`keras.optimizers.SGD`; Sutskever et al., 2013)
///
/// ```
/// # use graph_runtime::prelude::*;
/// use graph_runtime::nn::Sgd;
/// let w = Variable::new(tensor([1.0, 2.0]));
/// let sgd = Sgd::new(&w).learning_rate(0.5).momentum(0.5);
/// for _ in 0..2 {
///     sgd.apply(&Some(tensor([2.0, 0.0])), &w);
/// }
/// assert_eq!(w.read().to_vec(), [1.0 - 1.0 - 1.5, 2.0]);
/// ```
pub type Sgd = Optimizer<SgdRule>;

/// The rule of [`Sgd`].
#[derive(Clone, Copy, Debug, Module)]
pub struct SgdRule {
    momentum: f64,
    nesterov: bool,
}

impl Sgd {
    /// Makes an optimizer without momentum, for the trainable variables of a model.
    #[track_caller]
    pub fn new(model: &(impl Module + ?Sized)) -> Sgd {
        let rule = SgdRule {
            momentum: 0.0,
            nesterov: false,
        };
        Optimizer::with_rule(rule, 0.01, model)
    }

    /// Sets the momentum.
    #[must_use]
    #[track_caller]
    pub fn momentum(self, momentum: f64) -> Sgd {
        self.ruled(|rule| rule.momentum = momentum)
    }

    /// Uses Nesterov momentum.
    #[must_use]
    pub fn nesterov(self) -> Sgd {
        self.ruled(|rule| rule.nesterov = true)
    }
}

impl Rule for SgdRule {
    fn slots(&self) -> &'static [&'static str] {
        if self.momentum == 0.0 {
            &[]
        } else {
            &["momentum"]
        }
    }

    fn change<T: Float>(
        &self,
        variable: &Variable<T>,
        gradient: &Tensor<T>,
        slots: &[Variable<T>],
        step: &TrainingStep,
    ) {
        let down = gradient * step.rate::<T>();
        let [velocity] = slots else {
            variable.assign_sub(down);
            return;
        };
        let momentum = T::from_f64(self.momentum);
        velocity.assign(velocity * &momentum - &down);
        if self.nesterov {
            variable.assign_add(velocity * &momentum - down);
        } else {
            variable.assign_add(velocity.read());
        }
    }
}
