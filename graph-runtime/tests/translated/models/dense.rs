//! The model `dense`, translated from ONNX.

use std::path::Path;

use graph_runtime::nn::{FileError, Module};
use graph_runtime::prelude::*;

/// The weights of the model.
#[derive(Module)]
pub struct Weights {
    pub first_weight: Variable<f32>,
    pub first_bias: Variable<f32>,
    pub second_weight: Variable<f32>,
    pub second_bias: Variable<f32>,
}

impl Weights {
    /// Reads the weights from a file.
    ///
    /// # Errors
    /// If it isn't the file of this model.
    pub fn load(path: impl AsRef<Path>) -> Result<Weights, FileError> {
        let weights = Weights {
            first_weight: Variable::new(Tensor::zeros([8, 4])),
            first_bias: Variable::new(Tensor::zeros([8])),
            second_weight: Variable::new(Tensor::zeros([3, 8])),
            second_bias: Variable::new(Tensor::zeros([3])),
        };
        Module::load(&weights, path)?;
        Ok(weights)
    }
}

#[graph_fn]
pub fn dense(weights: &Weights, x: Tensor<f32, shape![_, 4]>) -> Tensor<f32, shape![_, 3]> {
    let x = x.dynamic();
    let matmul = x.matmul_t(&weights.first_weight);
    let add = &matmul + &weights.first_bias;
    let tanh = add.tanh();
    let matmul_2 = tanh.matmul_t(&weights.second_weight);
    let add_2 = &matmul_2 + &weights.second_bias;
    add_2.with_shape::<shape![_, 3]>()
}
