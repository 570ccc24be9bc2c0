//! Normalizations: values are shifted and scaled to mean 0 and variance 1, and then to a learned mean and deviation.

use super::super::initial::{one, zero};
use super::rows;
use crate::nn::Module;
use crate::tensor::{AsOperand, Tensor};
use crate::variable::Variable;

/// Added to a variance, so that the division is never by zero.
const EPSILON: f32 = 1e-3;

/// Normalizes each row along the last axis: `(x - mean) / sqrt(variance + epsilon) * gamma + beta`. (`keras.layers.LayerNormalization`; Ba
/// et al., 2016)
///
/// ```
/// # use graph_runtime::prelude::*;
/// use graph_runtime::nn::LayerNorm;
/// let y = LayerNorm::new(2).epsilon(0.0).call(tensor([[1.0, 3.0], [10.0, 30.0]]));
/// assert_eq!(y.to_vec(), [-1.0, 1.0, -1.0, 1.0]);
/// ```
#[doc(alias("LayerNormalization"))]
#[derive(Clone, Module)]
pub struct LayerNorm {
    gamma: Variable<f32>,
    beta: Variable<f32>,
    epsilon: f32,
}

impl LayerNorm {
    /// Makes a layer for rows of `width` values.
    #[track_caller]
    pub fn new(width: usize) -> LayerNorm {
        LayerNorm {
            gamma: one("gamma", &[width]),
            beta: zero("beta", &[width]),
            epsilon: EPSILON,
        }
    }

    /// Sets epsilon, which is 0.001 by default.
    #[must_use]
    pub fn epsilon(mut self, epsilon: f32) -> LayerNorm {
        self.epsilon = epsilon;
        self
    }

    /// The layer's output, which has the shape of the input.
    ///
    /// # Errors
    /// If the size of the last axis isn't `width`.
    #[track_caller]
    pub fn call(&self, x: impl AsOperand<f32>) -> Tensor<f32> {
        let x = rows(x, "LayerNorm", &[".."], &self.gamma, 0);
        let (mean, variance) = x.moments(&[-1], true);
        (x - mean) * (variance + self.epsilon).rsqrt() * &self.gamma + &self.beta
    }
}

/// Divides each row along the last axis by the square root of the mean of its squares: `x / sqrt(mean(x²) + epsilon) * scale`.
/// (`keras.layers.RMSNormalization`; Zhang and Sennrich, 2019)
///
/// ```
/// # use graph_runtime::prelude::*;
/// use graph_runtime::nn::RmsNorm;
/// let y = RmsNorm::new(2).epsilon(0.0).call(tensor([[2.0, 2.0], [-4.0, 4.0]]));
/// assert_eq!(y.to_vec(), [1.0, 1.0, -1.0, 1.0]);
/// ```
#[doc(alias("RMSNormalization"))]
#[derive(Clone, Module)]
pub struct RmsNorm {
    scale: Variable<f32>,
    epsilon: f32,
}

impl RmsNorm {
    /// Makes a layer for rows of `width` values.
    #[track_caller]
    pub fn new(width: usize) -> RmsNorm {
        RmsNorm {
            scale: one("scale", &[width]),
            epsilon: 1e-6,
        }
    }

    /// Sets epsilon, which is 10⁻⁶ by default.
    #[must_use]
    pub fn epsilon(mut self, epsilon: f32) -> RmsNorm {
        self.epsilon = epsilon;
        self
    }

    /// The layer's output, which has the shape of the input.
    ///
    /// # Errors
    /// If the size of the last axis isn't `width`.
    #[track_caller]
    pub fn call(&self, x: impl AsOperand<f32>) -> Tensor<f32> {
        let x = rows(x, "RmsNorm", &[".."], &self.scale, 0);
        let squares = x.square().mean_axes(&[-1], true);
        x * (squares + self.epsilon).rsqrt() * &self.scale
    }
}

/// Normalizes each channel (the last axis). In training it uses the mean and variance of the batch and updates moving averages of them;
/// otherwise it uses the moving averages. No optimizer changes these. (`keras.layers.BatchNormalization`; Ioffe and Szegedy, 2015)
///
/// ```
/// # use graph_runtime::prelude::*;
/// use graph_runtime::nn::BatchNorm;
/// let layer = BatchNorm::new(1).momentum(0.75).epsilon(0.0);
/// let y = layer.call(tensor([[4.0], [8.0]]), true);
/// assert_eq!(y.to_vec(), [-1.0, 1.0]);
/// // The mean of the batch is 6, its variance 4.
/// assert_eq!(layer.moving_mean().read().to_vec(), [0.25 * 6.0]);
/// assert_eq!(layer.moving_variance().read().to_vec(), [0.75 * 1.0 + 0.25 * 4.0]);
/// ```
#[doc(alias("BatchNormalization", "BatchNorm1d", "BatchNorm2d"))]
#[derive(Clone, Module)]
pub struct BatchNorm {
    gamma: Variable<f32>,
    beta: Variable<f32>,
    #[module(frozen)]
    moving_mean: Variable<f32>,
    #[module(frozen)]
    moving_variance: Variable<f32>,
    momentum: f32,
    epsilon: f32,
}

impl BatchNorm {
    /// Makes a layer for this number of channels.
    #[track_caller]
    pub fn new(channels: usize) -> BatchNorm {
        BatchNorm {
            gamma: one("gamma", &[channels]),
            beta: zero("beta", &[channels]),
            moving_mean: zero("moving_mean", &[channels]),
            moving_variance: one("moving_variance", &[channels]),
            momentum: 0.99,
            epsilon: EPSILON,
        }
    }

    /// Sets the factor by which each step multiplies the old moving averages; it is 0.99 by default.
    #[must_use]
    pub fn momentum(mut self, momentum: f32) -> BatchNorm {
        self.momentum = momentum;
        self
    }

    /// Sets epsilon, which is 0.001 by default.
    #[must_use]
    pub fn epsilon(mut self, epsilon: f32) -> BatchNorm {
        self.epsilon = epsilon;
        self
    }

    /// The layer's output, which has the shape of the input.
    ///
    /// # Errors
    /// If the size of the last axis isn't the number of channels.
    #[track_caller]
    pub fn call(&self, x: impl AsOperand<f32>, training: bool) -> Tensor<f32> {
        let x = rows(x, "BatchNorm", &[".."], &self.gamma, 0);
        let (mean, variance) = if training {
            let axes: Vec<isize> = (0..x.rank() as isize - 1).collect();
            let (mean, variance) = x.moments(&axes, false);
            self.follow(&self.moving_mean, &mean);
            self.follow(&self.moving_variance, &variance);
            (mean, variance)
        } else {
            (self.moving_mean.read(), self.moving_variance.read())
        };
        (x - mean) * ((variance + self.epsilon).rsqrt() * &self.gamma) + &self.beta
    }

    /// Updates a moving average with the next value.
    #[track_caller]
    fn follow(&self, average: &Variable<f32>, value: &Tensor<f32>) {
        average.assign(average * self.momentum + value * (1.0 - self.momentum));
    }

    /// The moving average of the channels' means.
    pub fn moving_mean(&self) -> &Variable<f32> {
        &self.moving_mean
    }

    /// The moving average of the channels' variances.
    pub fn moving_variance(&self) -> &Variable<f32> {
        &self.moving_variance
    }
}
