//! The model `conv`, translated from ONNX.

use std::path::Path;

use graph_runtime::nn::{FileError, Module};
use graph_runtime::prelude::*;

/// The weights of the model.
#[derive(Module)]
pub struct Weights {
    pub conv_weight: Variable<f32>,
    pub conv_bias: Variable<f32>,
    pub fc_weight: Variable<f32>,
    pub fc_bias: Variable<f32>,
}

impl Weights {
    /// Reads the weights from a file.
    ///
    /// # Errors
    /// If it isn't the file of this model.
    pub fn load(path: impl AsRef<Path>) -> Result<Weights, FileError> {
        let weights = Weights {
            conv_weight: Variable::new(Tensor::zeros([2, 1, 3, 3])),
            conv_bias: Variable::new(Tensor::zeros([2])),
            fc_weight: Variable::new(Tensor::zeros([3, 18])),
            fc_bias: Variable::new(Tensor::zeros([3])),
        };
        Module::load(&weights, path)?;
        Ok(weights)
    }
}

#[graph_fn]
pub fn conv(weights: &Weights, image: Tensor<f32, shape![_, 1, 6, 6]>) -> Tensor<f32, shape![_, 3]> {
    let image = image.dynamic();
    let transpose = image.permute([0, 2, 3, 1]);
    let transpose_2 = weights.conv_weight.permute([2, 3, 1, 0]);
    let conv2d = transpose.conv2d(&transpose_2, Window { strides: [1, 1], dilations: [1, 1], padding: Padding::Explicit([[1, 1], [1, 1]]) });
    let transpose_3 = conv2d.permute([0, 3, 1, 2]);
    let reshape = weights.conv_bias.reshape([-1, 1, 1]);
    let add = &transpose_3 + &reshape;
    let relu = add.relu();
    let transpose_4 = relu.permute([0, 2, 3, 1]);
    let max_pool2d = transpose_4.max_pool2d([2, 2], Window { strides: [2, 2], dilations: [1, 1], padding: Padding::Explicit([[0, 0], [0, 0]]) });
    let transpose_5 = max_pool2d.permute([0, 3, 1, 2]);
    let reshape_2 = transpose_5.reshape([-1, 18]);
    let matmul = reshape_2.matmul_t(&weights.fc_weight);
    let add_2 = &matmul + &weights.fc_bias;
    let softmax = add_2.softmax(1);
    softmax.with_shape::<shape![_, 3]>()
}
