//! The file beside other tools, and a program that is another process.

use std::collections::BTreeMap;
use std::process::Command;

use graph_runtime::load;
use graph_runtime::nn::{Dense, Module};
use graph_runtime::prelude::*;

#[graph_fn]
fn predict(model: &Dense, x: Tensor<f32>) -> Tensor<f32> {
    let names: Vec<f32> = (0..100).map(|i| i as f32).collect();
    model.call(x) + tensor(names).sum() * 0.0
}

#[test]
fn the_reference_reader_finds_the_variables_and_constants() {
    let model = Dense::new(3, 2);
    let concrete = predict::concrete(&model, TensorSpec::new(&[None, Some(3)])).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("f.graph");
    concrete.bind(&model).unwrap().save(&path).unwrap();
    let bytes = std::fs::read(&path).unwrap();
    let file = safetensors::SafeTensors::deserialize(&bytes).unwrap();
    let found: BTreeMap<_, _> = file
        .iter()
        .map(|(name, view)| (name, (view.dtype(), view.shape().to_vec())))
        .collect();
    let f32 = safetensors::Dtype::F32;
    let expected = [
        ("constant.0", (f32, vec![100])),
        ("model.bias", (f32, vec![2])),
        ("model.kernel", (f32, vec![3, 2])),
    ];
    assert_eq!(found, BTreeMap::from(expected));
    let kernel = file.tensor("model.kernel").unwrap();
    let values: Vec<f32> = kernel
        .data()
        .as_chunks::<4>()
        .0
        .iter()
        .map(|bytes| f32::from_le_bytes(*bytes))
        .collect();
    assert_eq!(values, model.kernel().to_vec());

    // And a model takes its values out of it.
    let other = Dense::new(3, 2);
    let name = |name: &str| name.strip_prefix("model.").map(str::to_owned);
    let left_out = other.load_partial(&path, name).unwrap();
    assert_eq!(left_out.arrays, ["constant.0"]);
    assert_eq!(other.kernel().to_vec(), model.kernel().to_vec());
}

const FILE: &str = "GRAPH_TEST_FILE";

/// The other process runs this test with the path in its environment; by itself the test does nothing.
#[test]
fn another_process_loads() {
    let Some(path) = std::env::var_os(FILE) else {
        return;
    };
    let y: Tensor<f32> = load(path)
        .unwrap()
        .get("predict")
        .unwrap()
        .call(tensor([[1.0f32, 2.0, 3.0]]))
        .unwrap();
    println!("result {:?}", y.to_vec());
}

#[test]
fn another_process_computes_the_same() {
    let model = Dense::new(3, 2);
    let concrete = predict::concrete(&model, TensorSpec::new(&[None, Some(3)])).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("f.graph");
    concrete.bind(&model).unwrap().save(&path).unwrap();
    let other = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "in_files::another_process_loads", "--nocapture"])
        .env(FILE, &path)
        .output()
        .unwrap();
    let printed = String::from_utf8(other.stdout).unwrap();
    let expected = predict(&model, tensor([[1.0f32, 2.0, 3.0]])).to_vec();
    assert!(
        printed.contains(&format!("result {expected:?}")),
        "{printed}"
    );
}
