// Wanted: functions of models with other types than the models have.
use graph_runtime::prelude::*;

/// Another dtype.
#[graph_fn(onnx = "models/dense.onnx")]
fn dtype(x: Tensor<f64, shape![_, 4]>) -> Tensor<f32, shape![_, 3]>;

/// Another number of axes.
#[graph_fn(onnx = "models/conv.onnx")]
fn rank(image: &Tensor<f32, shape![_, 6, 6]>) -> Tensor<f32>;

/// Another size.
#[graph_fn(onnx = "models/conv.onnx")]
fn size(image: Tensor<f32, shape![_, 1, 28, 28]>) -> Tensor<f32>;

/// A size that the model doesn't leave open, behind an alias.
type Rows = Tensor<f32, shape![_, _]>;

#[graph_fn(onnx = "models/dense.onnx")]
fn open_size(x: Rows) -> Tensor<f32>;

/// No tensor.
#[graph_fn(onnx = "models/loop.onnx")]
fn number(n: i64) -> Tensor<i64>;

fn main() {}
