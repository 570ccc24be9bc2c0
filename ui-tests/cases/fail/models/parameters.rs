// Wanted: functions of models with other parameters, or none of the results.
use graph_runtime::prelude::*;

#[graph_fn(onnx = "models/dense.onnx")]
fn too_many(x: Tensor<f32>, y: Tensor<f32>) -> Tensor<f32>;

#[graph_fn(onnx = "models/two.onnx")]
fn too_few(x: Tensor<f32>) -> (Tensor<f32>, Tensor<f32>);

#[graph_fn(onnx = "models/two.onnx")]
fn exchanged(ids: Tensor<i64>, x: Tensor<f32>) -> (Tensor<f32>, Tensor<f32>);

#[graph_fn(onnx = "models/dense.onnx")]
fn without_result(x: Tensor<f32>);

#[graph_fn(onnx = "models/dense.onnx")]
fn generic<S: ShapeSpec>(x: Tensor<f32, S>) -> Tensor<f32>;

#[graph_fn(onnx = "models/dense.onnx")]
fn pattern((x, _): (Tensor<f32>, i32)) -> Tensor<f32>;

fn main() {}
