//! Learning rates that change from step to step. A schedule computes the rate of a step as a tensor; in a graph this is part of the graph.

use crate::function::{AnyArgument, Signature};
use crate::nn::Module;
use crate::tensor::{Tensor, select, tensor};
use crate::variable::Variable;

/// A learning rate: a number, a `Variable<f32>` that the program changes, or a struct of this module.
///
/// ```
/// # use graph_runtime::prelude::*;
/// use graph_runtime::nn::{Dense, Sgd};
/// use graph_runtime::nn::schedules::CosineDecay;
/// let model = Dense::new(2, 1);
/// let constant = Sgd::new(&model).learning_rate(0.1);
/// let falling = Sgd::new(&model).learning_rate(CosineDecay::new(0.1, 1000));
/// let rate = Variable::new(tensor(0.1));
/// let by_hand = Sgd::new(&model).learning_rate(rate.clone());
/// rate.assign(0.01);
/// ```
///
/// To write a schedule of your own, implement this trait for a struct with `#[derive(Module)]`:
///
/// ```
/// # use graph_runtime::prelude::*;
/// use graph_runtime::nn::{Module, Sgd, schedules::Schedule};
///
/// /// The inverse of the step's number.
/// #[derive(Module)]
/// struct Inverse {
///     first: f32,
/// }
///
/// impl Schedule for Inverse {
///     fn rate(&self, step: &Tensor<f32>) -> Tensor<f32> {
///         self.first / (step + 1.0)
///     }
/// }
///
/// let w = Variable::new(tensor(1.0));
/// let sgd = Sgd::new(&w).learning_rate(Inverse { first: 0.5 });
/// sgd.apply(&Some(tensor(1.0)), &w);
/// sgd.apply(&Some(tensor(1.0)), &w);
/// assert_eq!(w.item(), 1.0 - 0.5 - 0.25);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no learning rate",
    label = "neither a number (`f32`), nor a `Variable<f32>`, nor a schedule",
    note = "a variable that the program changes is given as a clone, which is the same variable: `rate.clone()`"
)]
#[doc(alias("LRScheduler", "LearningRateSchedule"))]
pub trait Schedule: Module + AnyArgument + Send + Sync {
    /// The rate of a step. The first step is 0.
    fn rate(&self, step: &Tensor<f32>) -> Tensor<f32>;

    /// Writes the type, so that the signature tells types with the same name and fields apart.
    #[doc(hidden)]
    fn write_type(&self, signature: &mut Signature) {
        signature.type_of::<Self>();
    }
}

impl Schedule for f32 {
    fn rate(&self, _: &Tensor<f32>) -> Tensor<f32> {
        tensor(*self)
    }
}

impl Schedule for Variable<f32> {
    fn rate(&self, _: &Tensor<f32>) -> Tensor<f32> {
        self.read()
    }
}

/// Exponential decay: `initial * rate ^ (step / steps)`. Every `steps` steps, the rate is multiplied by `rate`.
/// (`keras.optimizers.schedules.ExponentialDecay`)
///
/// ```
/// # use graph_runtime::prelude::*;
/// use graph_runtime::nn::schedules::{ExponentialDecay, Schedule};
/// let decay = ExponentialDecay::new(0.5, 10, 0.25);
/// assert_eq!(decay.rate(&tensor(5.0)).item(), 0.25);
/// assert_eq!(decay.staircase().rate(&tensor(9.0)).item(), 0.5);
/// ```
#[doc(alias("ExponentialLR", "StepLR"))]
#[derive(Clone, Copy, Debug, Module)]
pub struct ExponentialDecay {
    initial: f32,
    steps: u64,
    rate: f32,
    staircase: bool,
}

impl ExponentialDecay {
    /// Makes a schedule that starts at `initial` and is multiplied by `rate` every `steps` steps.
    ///
    /// # Panics
    /// If `steps` is 0.
    #[track_caller]
    pub fn new(initial: f32, steps: u64, rate: f32) -> ExponentialDecay {
        assert!(steps > 0, "a rate decays in at least one step");
        ExponentialDecay {
            initial,
            steps,
            rate,
            staircase: false,
        }
    }

    /// Decays at once after each `steps` steps, instead of a little in each step.
    #[must_use]
    pub fn staircase(mut self) -> ExponentialDecay {
        self.staircase = true;
        self
    }
}

impl Schedule for ExponentialDecay {
    fn rate(&self, step: &Tensor<f32>) -> Tensor<f32> {
        let mut times = step / self.steps as f32;
        if self.staircase {
            times = times.floor();
        }
        tensor(self.rate).pow(times) * self.initial
    }
}

/// Cosine decay: falls along half a cosine wave from `initial` to `alpha * initial` and stays there. With a warmup, it first rises linearly
/// from `initial` to a higher rate. (`keras.optimizers.schedules.CosineDecay`; Loshchilov and Hutter, 2017)
///
/// ```
/// # use graph_runtime::prelude::*;
/// use graph_runtime::nn::schedules::{CosineDecay, Schedule};
/// let decay = CosineDecay::new(0.0, 100).warmup(0.5, 10);
/// let rates = [0.0, 5.0, 10.0, 1000.0].map(|step| decay.rate(&tensor(step)).item());
/// assert_eq!(rates, [0.0, 0.25, 0.5, 0.0]);
/// ```
#[doc(alias("CosineAnnealingLR", "cosine_decay_schedule"))]
#[derive(Clone, Copy, Debug, Module)]
pub struct CosineDecay {
    initial: f32,
    steps: u64,
    alpha: f32,
    warmup: Option<(f32, u64)>,
}

impl CosineDecay {
    /// Makes a schedule that falls from `initial` to 0 in `steps` steps.
    ///
    /// # Panics
    /// If `steps` is 0.
    #[track_caller]
    pub fn new(initial: f32, steps: u64) -> CosineDecay {
        assert!(steps > 0, "a rate decays in at least one step");
        CosineDecay {
            initial,
            steps,
            alpha: 0.0,
            warmup: None,
        }
    }

    /// Sets the share of the highest rate at which the decay ends.
    #[must_use]
    pub fn alpha(mut self, alpha: f32) -> CosineDecay {
        self.alpha = alpha;
        self
    }

    /// Rises linearly to `target` in the first `steps` steps, before the decay.
    #[must_use]
    pub fn warmup(mut self, target: f32, steps: u64) -> CosineDecay {
        self.warmup = Some((target, steps));
        self
    }

    fn fall(&self, from: f32, step: &Tensor<f32>) -> Tensor<f32> {
        let steps = self.steps as f32;
        let share = step.minimum(steps) / steps;
        let wave = ((share * std::f32::consts::PI).cos() + 1.0) * 0.5;
        (wave * (1.0 - self.alpha) + self.alpha) * from
    }
}

impl Schedule for CosineDecay {
    fn rate(&self, step: &Tensor<f32>) -> Tensor<f32> {
        let Some((target, steps)) = self.warmup else {
            return self.fall(self.initial, step);
        };
        let steps = steps as f32;
        let rising = step / steps * (target - self.initial) + self.initial;
        select(step.lt(steps), rising, self.fall(target, &(step - steps)))
    }
}

/// A constant rate for each interval of steps between boundaries. (`keras.optimizers.schedules.PiecewiseConstantDecay`)
///
/// ```
/// # use graph_runtime::prelude::*;
/// use graph_runtime::nn::schedules::{PiecewiseConstantDecay, Schedule};
/// let decay = PiecewiseConstantDecay::new(&[10, 20], &[1.0, 0.5, 0.25]);
/// let rates = [0.0, 10.0, 11.0, 20.0, 21.0].map(|step| decay.rate(&tensor(step)).item());
/// assert_eq!(rates, [1.0, 1.0, 0.5, 0.5, 0.25]);
/// ```
#[doc(alias("MultiStepLR"))]
#[derive(Clone, Debug, Module)]
pub struct PiecewiseConstantDecay {
    boundaries: Vec<u64>,
    rates: Vec<f32>,
}

impl PiecewiseConstantDecay {
    /// Makes a schedule with `rates[i]` for the steps up to `boundaries[i]`, and the last rate for all steps after the last boundary.
    ///
    /// # Panics
    /// If the number of rates isn't the number of boundaries plus one, or the boundaries aren't ascending.
    #[track_caller]
    pub fn new(boundaries: &[u64], rates: &[f32]) -> PiecewiseConstantDecay {
        assert_eq!(
            boundaries.len() + 1,
            rates.len(),
            "a rate for each part between boundaries"
        );
        assert!(boundaries.is_sorted(), "the boundaries between rates rise");
        PiecewiseConstantDecay {
            boundaries: boundaries.to_vec(),
            rates: rates.to_vec(),
        }
    }
}

impl Schedule for PiecewiseConstantDecay {
    fn rate(&self, step: &Tensor<f32>) -> Tensor<f32> {
        let pieces = self.boundaries.iter().zip(&self.rates).rev();
        let last = tensor(self.rates[self.rates.len() - 1]);
        pieces.fold(last, |behind, (boundary, rate)| {
            select(step.le(*boundary as f32), *rate, behind)
        })
    }
}
