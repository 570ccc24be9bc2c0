//! Dropout.

use super::input;
use crate::nn::Module;
use crate::random;
use crate::tensor::{AsOperand, Tensor};

/// In training, sets each value to zero with probability `rate` and divides the others by `1 - rate`; otherwise changes nothing.
/// (`keras.layers.Dropout`)
///
/// It draws from the global stream of random numbers, and draws again in each run of a graph.
///
/// ```
/// # use graph_runtime::prelude::*;
/// use graph_runtime::nn::Dropout;
/// let layer = Dropout::new(0.5);
/// let x = ones::<f32>(&[100]);
/// assert!(layer.call(&x, true).to_vec().iter().all(|v| [0.0, 2.0].contains(v)));
/// assert_eq!(layer.call(&x, false).to_vec(), x.to_vec());
/// ```
#[derive(Clone, Copy, Debug, Module)]
pub struct Dropout {
    rate: f64,
}

impl Dropout {
    /// Makes a layer that drops this share of the values.
    pub fn new(rate: f64) -> Dropout {
        Dropout { rate }
    }

    /// The layer's output, which has the shape of the input.
    ///
    /// # Errors
    /// If the rate isn't in `0..=1`.
    #[track_caller]
    pub fn call(&self, x: impl AsOperand<f32>, training: bool) -> Tensor<f32> {
        let x = input(x);
        match self.rate {
            _ if !training => x,
            0.0 => x,
            1.0 => x.zeros_like(),
            rate => random::dropout(&x, rate),
        }
    }
}
