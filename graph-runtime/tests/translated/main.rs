//! The example `translate`: models of ONNX as Rust. Each module of `models/` is what the example prints for a model of graph-runtime's tests
//! (`TRANSLATE=overwrite` writes them anew), and is compiled here. It must compute what the model does, and what onnxruntime computed.

#[path = "../../../examples/translate/expressions.rs"]
mod expressions;
#[path = "../../../examples/translate/literals.rs"]
mod literals;
#[path = "../../../examples/translate/methods.rs"]
mod methods;
#[path = "../../../examples/translate/names.rs"]
mod names;
#[path = "../../../examples/translate/positions.rs"]
mod positions;
#[path = "../../../examples/translate/source.rs"]
mod source;
#[path = "../../../examples/translate/statements.rs"]
mod statements;

/// The printed modules.
#[rustfmt::skip]
#[allow(clippy::all, missing_docs)]
mod models {
    pub mod branch;
    pub mod conv;
    pub mod dense;
    #[path = "loop.rs"]
    pub mod loop_;
    pub mod drawn;
    pub mod functions;
    pub mod images;
    pub mod matrices;
    pub mod orders;
    pub mod parts;
    pub mod shapes;
    pub mod squares;
    pub mod texts;
    pub mod whole_numbers;
}

mod every_op;
mod programs;

use std::path::PathBuf;

use graph_runtime::nn::Module;
use graph_runtime::onnx;
use graph_runtime::prelude::*;
use serde_json::Value;

use models::{branch, conv, dense, loop_};

fn folder() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/onnx_models"))
}

/// Compares a source with the module that is here.
#[track_caller]
fn expected_source(name: &str, source: &str) {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/translated/models");
    let path = PathBuf::from(folder).join(name).with_extension("rs");
    if std::env::var("TRANSLATE").is_ok_and(|how| how == "overwrite") {
        std::fs::write(&path, source).unwrap();
    }
    assert_eq!(source, std::fs::read_to_string(path).unwrap());
}

/// Translates a model, compares the source with the module here, and gives the file of the weights.
fn translated(name: &str) -> tempfile::NamedTempFile {
    let model = onnx::load_trainable(folder().join(name).with_extension("onnx")).unwrap();
    let translated = source::translate(&model).unwrap();
    expected_source(name, &translated.source);
    let weights = tempfile::NamedTempFile::new().unwrap();
    if translated.has_weights() {
        translated.save_weights(weights.path()).unwrap();
    }
    weights
}

/// The cases of a model: the argument, and the result of onnxruntime.
fn cases(model: &str) -> Vec<(Value, Value)> {
    let text = std::fs::read_to_string(folder().join("expected.json")).unwrap();
    let all: Value = serde_json::from_str(&text).unwrap();
    let cases = all[model].as_array().unwrap().iter();
    cases
        .map(|case| (case["arguments"][0].clone(), case["results"][0].clone()))
        .collect()
}

fn floats(value: &Value) -> Tensor<f32> {
    let sizes: Vec<usize> = value["shape"]
        .as_array()
        .unwrap()
        .iter()
        .map(|n| n.as_u64().unwrap() as usize)
        .collect();
    let values = value["values"]
        .as_array()
        .unwrap()
        .iter()
        .map(|n| n.as_f64().unwrap() as f32);
    Tensor::from_vec(&sizes, values.collect()).unwrap()
}

/// The translated function gives the bits of the model, and the numbers of onnxruntime.
#[track_caller]
fn check<S: ShapeSpec>(name: &str, function: impl Fn(Tensor<f32>) -> Tensor<f32, S>) {
    let model = onnx::load(folder().join(name).with_extension("onnx")).unwrap();
    for (x, expected) in cases(name) {
        let found = function(floats(&x)).to_vec();
        let own: Tensor<f32> = model.call(floats(&x)).unwrap();
        assert_eq!(found, own.to_vec());
        for (found, expected) in found.iter().zip(floats(&expected).to_vec()) {
            assert!(
                (found - expected).abs() <= 1e-5 * expected.abs().max(1.0),
                "{found} is not {expected}"
            );
        }
    }
}

#[test]
fn a_dense_network() {
    let weights = dense::Weights::load(translated("dense").path()).unwrap();
    assert_eq!(weights.count_parameters(), 4 * 8 + 8 + 8 * 3 + 3);
    check("dense", |x| dense::dense(&weights, x));
}

#[test]
fn a_convolutional_network() {
    let weights = conv::Weights::load(translated("conv").path()).unwrap();
    check("conv", |x| conv::conv(&weights, x));
}

#[test]
fn a_branch_is_an_if() {
    translated("branch");
    check("branch", branch::branch);
    assert!(include_str!("models/branch.rs").contains("= if "));
}

#[test]
fn a_loop_is_a_while() {
    translated("loop");
    for (n, steps) in cases("loop") {
        let n = n["values"][0].as_i64().unwrap();
        assert_eq!(
            loop_::loop_(tensor(n)).item(),
            steps["values"][0].as_i64().unwrap()
        );
    }
    assert!(include_str!("models/loop.rs").contains("while "));
}
