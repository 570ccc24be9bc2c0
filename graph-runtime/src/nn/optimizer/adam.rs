//! Adam, and Adam with weight decay.

use super::{Optimizer, Rule, TrainingStep};
use crate::nn::Module;
use crate::tensor::{Float, Tensor, tensor};
use crate::variable::Variable;

/// Adam, with a rate of 0.001 by default: `m += (g - m) (1 - β₁)`, `v += (g² - v) (1 - β₂)`, and in step `t` `w -= α m / (sqrt(v) + ε)`,
/// where `α = rate * sqrt(1 - β₂ᵗ) / (1 - β₁ᵗ)`; β₁ is 0.9, β₂ 0.999, ε 10⁻⁷. (`keras.optimizers.Adam`; Kingma and Ba, 2014, with the `ε̂`
/// of the text before their section 2.1)
///
/// ```
/// # use graph_runtime::prelude::*;
/// use graph_runtime::nn::Adam;
/// let w = Variable::new(tensor([1.0, 2.0]));
/// let adam = Adam::new(&w).learning_rate(0.5);
/// adam.apply(&Some(tensor([1e6, -1e-3])), &w);
/// // The first step is as long as the rate, whatever the size of the gradient.
/// assert!((w.read() - tensor([0.5, 2.5])).abs().max().item() < 0.002);
/// ```
pub type Adam = Optimizer<AdamRule>;

/// The rule of [`Adam`].
#[derive(Clone, Copy, Debug, Module)]
pub struct AdamRule {
    beta_1: f64,
    beta_2: f64,
    epsilon: f64,
}

impl Adam {
    /// Makes an optimizer for the trainable variables of a model.
    #[track_caller]
    pub fn new(model: &(impl Module + ?Sized)) -> Adam {
        Optimizer::with_rule(AdamRule::DEFAULT, 0.001, model)
    }

    /// Sets β₁ and β₂: the factors by which each step multiplies the old averages of gradients and of squared gradients.
    #[must_use]
    pub fn betas(self, beta_1: f64, beta_2: f64) -> Adam {
        self.ruled(|rule| (rule.beta_1, rule.beta_2) = (beta_1, beta_2))
    }

    /// Sets ε.
    #[must_use]
    pub fn epsilon(self, epsilon: f64) -> Adam {
        self.ruled(|rule| rule.epsilon = epsilon)
    }
}

impl AdamRule {
    const DEFAULT: AdamRule = AdamRule {
        beta_1: 0.9,
        beta_2: 0.999,
        epsilon: 1e-7,
    };

    /// Updates the averages with the gradient, and returns what is to be subtracted from the variable.
    #[track_caller]
    fn down<T: Float>(
        &self,
        gradient: &Tensor<T>,
        slots: &[Variable<T>],
        step: &TrainingStep,
    ) -> Tensor<T> {
        let (m, v) = (&slots[0], &slots[1]);
        let rest = |beta: f64| T::from_f64(1.0 - beta);
        m.assign_add((gradient - m) * rest(self.beta_1));
        v.assign_add((gradient.square() - v) * rest(self.beta_2));
        let power = |beta: f64| tensor(beta as f32).pow(step.count());
        let alpha =
            step.rate::<f32>() * (1.0 - power(self.beta_2)).sqrt() / (1.0 - power(self.beta_1));
        m * alpha.cast::<T>() / (v.read().sqrt() + T::from_f64(self.epsilon))
    }
}

impl Rule for AdamRule {
    fn slots(&self) -> &'static [&'static str] {
        &["momentum", "velocity"]
    }

    fn change<T: Float>(
        &self,
        variable: &Variable<T>,
        gradient: &Tensor<T>,
        slots: &[Variable<T>],
        step: &TrainingStep,
    ) {
        variable.assign_sub(self.down(gradient, slots, step));
    }
}

/// [`Adam`] with weight decay: each step also subtracts `rate * decay` times the variable; the decay is 0.004 by default.
/// (`keras.optimizers.AdamW`; Loshchilov and Hutter, 2019)
///
/// ```
/// # use graph_runtime::prelude::*;
/// use graph_runtime::nn::AdamW;
/// let w = Variable::new(tensor([1.0, 2.0]));
/// let adam = AdamW::new(&w).learning_rate(0.5).weight_decay(0.1);
/// adam.apply(&Some(tensor([0.0, 0.0])), &w);
/// assert_eq!(w.read().to_vec(), [0.95, 1.9]);
/// ```
pub type AdamW = Optimizer<AdamWRule>;

/// The rule of [`AdamW`].
#[derive(Clone, Copy, Debug, Module)]
pub struct AdamWRule {
    adam: AdamRule,
    decay: f64,
}

impl AdamW {
    /// Makes an optimizer for the trainable variables of a model.
    #[track_caller]
    pub fn new(model: &(impl Module + ?Sized)) -> AdamW {
        let rule = AdamWRule {
            adam: AdamRule::DEFAULT,
            decay: 0.004,
        };
        Optimizer::with_rule(rule, 0.001, model)
    }

    /// Sets the decay.
    #[must_use]
    pub fn weight_decay(self, decay: f64) -> AdamW {
        self.ruled(|rule| rule.decay = decay)
    }

    /// Sets β₁ and β₂: the factors by which each step multiplies the old averages of gradients and of squared gradients.
    #[must_use]
    pub fn betas(self, beta_1: f64, beta_2: f64) -> AdamW {
        self.ruled(|rule| (rule.adam.beta_1, rule.adam.beta_2) = (beta_1, beta_2))
    }

    /// Sets ε.
    #[must_use]
    pub fn epsilon(self, epsilon: f64) -> AdamW {
        self.ruled(|rule| rule.adam.epsilon = epsilon)
    }
}

impl Rule for AdamWRule {
    fn slots(&self) -> &'static [&'static str] {
        self.adam.slots()
    }

    fn change<T: Float>(
        &self,
        variable: &Variable<T>,
        gradient: &Tensor<T>,
        slots: &[Variable<T>],
        step: &TrainingStep,
    ) {
        let down = self.adam.down(gradient, slots, step);
        let share = step.rate::<T>() * T::from_f64(self.decay);
        variable.assign(variable - variable * share - down);
    }
}
