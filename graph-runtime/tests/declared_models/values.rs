//! What `expected.json` and `training.json` hold.

use graph_runtime::Element;
use graph_runtime::prelude::*;
use serde_json::Value;

/// A file beside the models.
pub fn read(name: &str) -> Value {
    let path = format!("{}/tests/onnx_models/{name}", env!("CARGO_MANIFEST_DIR"));
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

/// The cases of a model: arguments, and the results of onnxruntime.
pub fn cases(model: &str) -> Vec<(Vec<Value>, Vec<Value>)> {
    let all = read("expected.json");
    let list = |value: &Value| value.as_array().unwrap().clone();
    let cases = list(&all[model]);
    let pairs = cases
        .iter()
        .map(|case| (list(&case["arguments"]), list(&case["results"])));
    pairs.collect()
}

pub fn floats(value: &Value) -> Tensor<f32> {
    assert_eq!(value["dtype"], "float32");
    of(value, |number| number.as_f64().unwrap() as f32)
}

pub fn integers(value: &Value) -> Tensor<i64> {
    assert_eq!(value["dtype"], "int64");
    of(value, |number| number.as_i64().unwrap())
}

fn of<T: Element>(value: &Value, number: impl Fn(&Value) -> T) -> Tensor<T> {
    let sizes = value["shape"].as_array().unwrap().iter();
    let sizes: Vec<usize> = sizes.map(|size| size.as_u64().unwrap() as usize).collect();
    let values = value["values"].as_array().unwrap().iter().map(number);
    Tensor::from_vec(sizes.as_slice(), values.collect()).unwrap()
}

/// Whether two tensors of floats agree to the accuracy of `f32`.
#[track_caller]
pub fn assert_close<S>(found: &Tensor<f32, S>, expected: &Value) {
    let wanted = floats(expected);
    assert_eq!(found.shape(), wanted.shape());
    let pairs = found.to_vec().into_iter().zip(wanted.to_vec());
    for (a, b) in pairs {
        assert!((a - b).abs() <= 1e-5 * b.abs().max(1.0), "{a} is not {b}");
    }
}
