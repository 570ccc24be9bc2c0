//! The results that Keras computed.

use std::sync::LazyLock;

use graph_runtime::tensor::{Tensor, tensor};
use serde_json::Value;

static RECORD: LazyLock<Value> =
    LazyLock::new(|| serde_json::from_str(include_str!("keras.json")).expect("the record is JSON"));

/// A part of the record.
pub fn record(path: &str) -> &'static Value {
    path.split('.')
        .fold(&RECORD, |value, key| match value.get(key) {
            Some(part) => part,
            None => panic!("nothing is recorded as {path}"),
        })
}

fn numbers(array: &Value) -> Vec<f64> {
    let values = array["values"].as_array().expect("an array");
    let number = |v: &Value| {
        v.as_f64()
            .or_else(|| v.as_bool().map(|b| f64::from(u8::from(b))))
            .or_else(|| v.as_str()?.parse().ok())
    };
    values
        .iter()
        .map(|v| number(v).expect("a number"))
        .collect()
}

fn shape(array: &Value) -> Vec<usize> {
    let sizes = array["shape"].as_array().expect("a shape");
    sizes
        .iter()
        .map(|n| n.as_u64().expect("a size") as usize)
        .collect()
}

/// A recorded array.
pub fn floats(array: &Value) -> Tensor<f32> {
    let values = numbers(array).into_iter().map(|v| v as f32).collect();
    Tensor::from_vec(&shape(array), values).expect("a recorded array")
}

/// A recorded array of integers.
pub fn integers(array: &Value) -> Tensor<i64> {
    let sizes: Vec<isize> = shape(array).into_iter().map(|n| n as isize).collect();
    let values: Vec<i64> = numbers(array).into_iter().map(|v| v as i64).collect();
    tensor(values).reshape(&sizes)
}

/// Recorded arrays.
pub fn all_floats(arrays: &Value) -> Vec<Tensor<f32>> {
    arrays
        .as_array()
        .expect("a list")
        .iter()
        .map(floats)
        .collect()
}

/// Fails if a tensor differs from a recorded one by more than `tolerance` times the largest recorded value, which counts as at least 0.1.
/// (Some gradients are zero except for rounding.)
pub fn assert_close(found: &Tensor<f32>, recorded: &Value, tolerance: f64, what: &str) {
    let expected = numbers(recorded);
    assert_eq!(found.array().shape(), shape(recorded), "{what}: the shape");
    let scale = expected.iter().fold(0.1, |most: f64, v| most.max(v.abs()));
    for (i, (found, expected)) in found.to_vec().into_iter().zip(&expected).enumerate() {
        let away = (f64::from(found) - expected).abs();
        assert!(
            away <= tolerance * scale,
            "{what}: value {i} is {found}, and Keras has {expected}"
        );
    }
}
