// Wanted: functions of models that return something else.
use graph_runtime::prelude::*;

#[graph_fn(onnx = "models/dense.onnx")]
fn size(x: Tensor<f32, shape![_, 4]>) -> Tensor<f32, shape![_, 10]>;

#[graph_fn(onnx = "models/loop.onnx")]
fn dtype(n: Tensor<i64>) -> graph_runtime::Result<Tensor<i32>>;

#[graph_fn(onnx = "models/two.onnx")]
fn one_of_two(x: Tensor<f32>, ids: Tensor<i64>) -> Tensor<f32>;

#[graph_fn(onnx = "models/two.onnx")]
fn second(x: Tensor<f32>, ids: Tensor<i64>) -> (Tensor<f32>, Tensor<f32, shape![_]>);

fn main() {}
