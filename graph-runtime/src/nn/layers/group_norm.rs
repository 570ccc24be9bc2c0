//! Normalization of each example by groups of its channels.

use super::super::initial::{one, zero};
use super::rows;
use crate::error::{Error, Location};
use crate::nn::Module;
use crate::tensor::{AsOperand, Tensor};
use crate::trace;
use crate::variable::Variable;

/// Normalizes each example by groups of neighbouring channels (the last axis): within a group, over all places, to mean 0 and variance 1;
/// then each channel has a factor and an offset of its own. With as many groups as channels it is instance normalization.
/// (`keras.layers.GroupNormalization`; Wu and He, 2018)
///
/// ```
/// # use graph_runtime::prelude::*;
/// use graph_runtime::nn::GroupNorm;
/// let images = tensor([[[1.0, 3.0, 10.0, 30.0]], [[5.0, 5.0, 8.0, 4.0]]]);
/// let y = GroupNorm::new(2, 4).epsilon(0.0).call(&images);
/// assert_eq!(y.get(0).to_vec(), [-1.0, 1.0, -1.0, 1.0]);
/// let y = GroupNorm::new(2, 4).call(&images);
/// assert_eq!(y.shape(), [2, 1, 4]);
/// ```
#[doc(alias("GroupNormalization", "InstanceNorm", "InstanceNorm2d"))]
#[derive(Clone, Module)]
pub struct GroupNorm {
    gamma: Variable<f32>,
    beta: Variable<f32>,
    groups: usize,
    channels: usize,
    epsilon: f32,
}

impl GroupNorm {
    /// Makes a layer for this number of channels, which are as many groups.
    ///
    /// # Panics
    /// If the channels can't be divided into this number of groups. (A graph function ends with an error.)
    #[track_caller]
    pub fn new(groups: usize, channels: usize) -> GroupNorm {
        if groups == 0 || !channels.is_multiple_of(groups) {
            let message =
                format!("GroupNorm can't divide {channels} channels into {groups} groups");
            trace::fail(Error::trace(message, Location::caller()));
        }
        GroupNorm {
            gamma: one("gamma", &[channels]),
            beta: zero("beta", &[channels]),
            groups,
            channels,
            epsilon: 1e-3,
        }
    }

    /// Sets epsilon, which is 0.001 by default.
    #[must_use]
    pub fn epsilon(mut self, epsilon: f32) -> GroupNorm {
        self.epsilon = epsilon;
        self
    }

    /// The layer's output, which has the shape of the input: the examples, any number of axes with places, and the channels.
    ///
    /// # Errors
    /// If the size of the last axis isn't the number of channels, or there are fewer than two axes.
    #[track_caller]
    pub fn call(&self, x: impl AsOperand<f32>) -> Tensor<f32> {
        let x = rows(x, "GroupNorm", &[".."], &self.gamma, 0);
        let mean = self.of_groups(&x);
        let distance = x - mean;
        let variance = self.of_groups(&distance.square());
        distance * (variance + self.epsilon).rsqrt() * &self.gamma + &self.beta
    }

    /// The mean of each example's group, at each of its channels: `[n, .., channels]` gives `[n, 1.., channels]`.
    #[track_caller]
    fn of_groups(&self, x: &Tensor<f32>) -> Tensor<f32> {
        let places: Vec<isize> = (1..x.rank() as isize - 1).collect();
        let size = self.channels / self.groups;
        let of_channels = x.mean_axes(&places, true);
        let grouped = of_channels.reshape((-1, self.groups, size));
        let means = grouped.mean_axes(&[-1], true).repeat(size, -1);
        let mut sizes = vec![1; x.rank()];
        (sizes[0], sizes[x.rank() - 1]) = (-1, self.channels as isize);
        means.reshape(sizes)
    }
}
