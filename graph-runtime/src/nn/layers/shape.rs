//! Layers that only change the shape. The batch axis stays.

use super::input;
use crate::error::{Error, Location};
use crate::nn::Module;
use crate::tensor::{AsOperand, Tensor, concat, tensor};
use crate::trace;

/// Flattens each example to one axis: `[batch, values]`. (`keras.layers.Flatten`)
///
/// ```
/// # use graph_runtime::prelude::*;
/// use graph_runtime::nn::Flatten;
/// assert_eq!(Flatten.call(zeros::<f32>(&[5, 2, 3])).shape().to_string(), "[5,6]");
/// ```
#[derive(Clone, Copy, Debug, Default, Module)]
pub struct Flatten;

impl Flatten {
    /// The layer's output `[batch, values]`.
    #[track_caller]
    pub fn call(&self, x: impl AsOperand<f32>) -> Tensor<f32> {
        let x = input(x);
        let shape = x.shape();
        if shape.rank() == Some(0) {
            let message = "Flatten takes inputs of shape [batch, ..], not a scalar";
            trace::fail(Error::trace(message, Location::caller()));
        }
        let sizes = shape.dims().unwrap_or_default();
        let example: Option<Option<usize>> = sizes
            .split_first()
            .map(|(_, rest)| rest.iter().copied().product());
        match example {
            Some(Some(values)) if let Ok(values) = isize::try_from(values) => {
                x.reshape(&[-1, values])
            }
            _ => reshaped(&x, &[-1]),
        }
    }
}

/// Reshapes each example. (`keras.layers.Reshape`)
///
/// ```
/// # use graph_runtime::prelude::*;
/// use graph_runtime::nn::Reshape;
/// let to_image = Reshape::new(&[2, 3, 1]);
/// assert_eq!(to_image.call(zeros::<f32>(&[5, 6])).shape().to_string(), "[5,2,3,1]");
/// ```
#[doc(alias("Unflatten"))]
#[derive(Clone, Debug, Module)]
pub struct Reshape {
    shape: Vec<isize>,
}

impl Reshape {
    /// Makes a layer for this shape, without the batch axis. One size may be -1: it follows from the others.
    pub fn new(shape: &[isize]) -> Reshape {
        Reshape {
            shape: shape.to_vec(),
        }
    }

    /// The layer's output `[batch, shape..]`.
    ///
    /// # Errors
    /// If the shapes have different numbers of values.
    #[track_caller]
    pub fn call(&self, x: impl AsOperand<f32>) -> Tensor<f32> {
        let x = input(x);
        if self.shape.contains(&-1) {
            return reshaped(&x, &self.shape);
        }
        let shape: Vec<isize> = [-1].iter().chain(&self.shape).copied().collect();
        x.reshape(&shape)
    }
}

/// Reshapes each example; one size may be -1.
#[track_caller]
fn reshaped(x: &Tensor<f32>, shape: &[isize]) -> Tensor<f32> {
    let batch = x.shape().dims().and_then(|sizes| sizes.first().copied());
    match batch.flatten().and_then(|n| isize::try_from(n).ok()) {
        Some(batch) => {
            let shape: Vec<isize> = [batch].iter().chain(shape).copied().collect();
            x.reshape(&shape)
        }
        None => {
            let rest: Vec<i32> = shape.iter().map(|n| *n as i32).collect();
            x.reshape(concat([x.len_tensor().reshape(&[1]), tensor(rest)], 0))
        }
    }
}
