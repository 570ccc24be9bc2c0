//! Functions whose body is a model: `#[graph_fn(onnx = "…")]`. The models, and what onnxruntime and PyTorch compute with them, are written by
//! `scripts/onnx_models.py`.

mod calls;
mod first_written;
mod refused;
mod training;
mod values;
