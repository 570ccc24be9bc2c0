// Wanted: a model that isn't there, or in another way than a model can be used.
use graph_runtime::prelude::*;

#[graph_fn(onnx = "models/missing.onnx")]
fn missing(x: Tensor<f32>) -> Tensor<f32>;

#[graph_fn(onnx = "Cargo.toml")]
fn other(x: Tensor<f32>) -> Tensor<f32>;

#[graph_fn(onnx = "models/dense.onnx")]
fn with_a_body(x: Tensor<f32>) -> Tensor<f32> {
    x
}

#[graph_fn(onnx = "models/dense.onnx", weights = "elsewhere")]
fn elsewhere(x: Tensor<f32>) -> Tensor<f32>;

#[graph_fn(weights = "file")]
fn without_a_model(x: Tensor<f32>) -> Tensor<f32> {
    x
}

#[graph_fn]
fn without_a_body(x: Tensor<f32>) -> Tensor<f32>;

struct Model;
impl Model {
    #[graph_fn(onnx = "models/dense.onnx")]
    pub fn method(x: Tensor<f32>) -> Tensor<f32>;
}

fn main() {
    missing(tensor([1.0]));
    with_a_body(tensor([1.0]));
    Model::method(tensor([1.0]));
}
