//! RMSprop.

use super::{Optimizer, Rule, TrainingStep};
use crate::nn::Module;
use crate::tensor::{Float, Tensor};
use crate::variable::Variable;

/// RMSprop, with a rate of 0.001 by default: `v = ρ v + (1 - ρ) g²` and `w -= rate * g / sqrt(v + ε)`, with ρ 0.9 and ε 10⁻⁷. With
/// momentum, `d = momentum * d + rate * g / sqrt(v + ε)` is subtracted instead. If centered, the root is of `v` minus the square of a
/// moving average of the gradients. (`keras.optimizers.RMSprop`; Hinton, 2012)
///
/// ```
/// # use graph_runtime::prelude::*;
/// use graph_runtime::nn::RmsProp;
/// let w = Variable::new(tensor([1.0]));
/// let rms_prop = RmsProp::new(&w).learning_rate(0.5).rho(0.75);
/// rms_prop.apply(&Some(tensor([100.0])), &w);
/// assert!(w.read().abs().item() < 1e-6); // v is a quarter of g²
/// ```
pub type RmsProp = Optimizer<RmsPropRule>;

/// The rule of [`RmsProp`].
#[derive(Clone, Copy, Debug, Module)]
pub struct RmsPropRule {
    rho: f64,
    momentum: f64,
    epsilon: f64,
    centered: bool,
}

impl RmsProp {
    /// Makes an optimizer without momentum and not centered, for the trainable variables of a model.
    #[track_caller]
    pub fn new(model: &(impl Module + ?Sized)) -> RmsProp {
        let rule = RmsPropRule {
            rho: 0.9,
            momentum: 0.0,
            epsilon: 1e-7,
            centered: false,
        };
        Optimizer::with_rule(rule, 0.001, model)
    }

    /// Sets ρ: the factor by which each step multiplies the old averages.
    #[must_use]
    pub fn rho(self, rho: f64) -> RmsProp {
        self.ruled(|rule| rule.rho = rho)
    }

    /// Sets the momentum.
    #[must_use]
    #[track_caller]
    pub fn momentum(self, momentum: f64) -> RmsProp {
        self.ruled(|rule| rule.momentum = momentum)
    }

    /// Sets ε.
    #[must_use]
    pub fn epsilon(self, epsilon: f64) -> RmsProp {
        self.ruled(|rule| rule.epsilon = epsilon)
    }

    /// Takes the root of the variance of the gradients, not of their mean square.
    #[must_use]
    #[track_caller]
    pub fn centered(self) -> RmsProp {
        self.ruled(|rule| rule.centered = true)
    }
}

impl Rule for RmsPropRule {
    fn slots(&self) -> &'static [&'static str] {
        match (self.momentum == 0.0, self.centered) {
            (true, false) => &["velocity"],
            (true, true) => &["velocity", "average_gradient"],
            (false, false) => &["velocity", "momentum"],
            (false, true) => &["velocity", "momentum", "average_gradient"],
        }
    }

    fn change<T: Float>(
        &self,
        variable: &Variable<T>,
        gradient: &Tensor<T>,
        slots: &[Variable<T>],
        step: &TrainingStep,
    ) {
        let slot = |name| {
            self.slots()
                .iter()
                .position(|slot| *slot == name)
                .map(|i| &slots[i])
        };
        let follow = |average: &Variable<T>, value: Tensor<T>| {
            let (rho, rest) = (T::from_f64(self.rho), T::from_f64(1.0 - self.rho));
            average.assign(average * rho + value * rest);
        };
        let velocity = &slots[0];
        follow(velocity, gradient.square());
        let mut below = velocity + T::from_f64(self.epsilon);
        if let Some(average) = slot("average_gradient") {
            follow(average, gradient.clone());
            below -= average.read().square();
        }
        let down = gradient * step.rate::<T>() * below.rsqrt();
        let Some(momentum) = slot("momentum") else {
            variable.assign_sub(down);
            return;
        };
        momentum.assign(momentum * T::from_f64(self.momentum) + down);
        variable.assign_sub(momentum.read());
    }
}
