//! What can't be saved, or loaded, and what the messages say.

use graph_runtime::prelude::*;
use graph_runtime::saved::{FileError, Functions, load, load_from_bytes};

#[graph_fn]
fn mapped(data: Tensor<i32>) -> Tensor<i32> {
    let mut sum = tensor(0);
    for x in &Dataset::from_slices(data).map(|x: Tensor<i32>| x * 2) {
        sum += x;
    }
    sum
}

#[graph_fn]
fn negated(x: Tensor<i32>) -> Tensor<i32> {
    -x
}

#[test]
fn a_dataset_of_rust_code_is_refused_with_its_line_before_anything_is_written() {
    let concrete = mapped::concrete(TensorSpec::new(&[None])).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("f.graph");
    let FileError::Graph(error) = concrete.save(&path).unwrap_err() else {
        panic!("another error")
    };
    assert_eq!(
        error.message(),
        "`begin_iteration` can't be saved: `map` in a dataset holds Rust code, which can't be read from text"
    );
    assert!(error.location().file.ends_with("refused.rs"), "{error}");
    assert!(!path.exists());
}

/// The bytes with a text replaced by another of the same length.
fn replaced(bytes: &[u8], from: &str, to: &str) -> Vec<u8> {
    let place = bytes
        .windows(from.len())
        .position(|part| part == from.as_bytes())
        .unwrap();
    let mut bytes = bytes.to_vec();
    bytes[place..place + from.len()].copy_from_slice(to.as_bytes());
    bytes
}

#[test]
fn an_error_names_the_file_and_the_place() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("f.graph");
    let missing = load(&path).unwrap_err().to_string();
    assert!(missing.contains("f.graph: "), "{missing}");
    negated::concrete(TensorSpec::new(&[None]))
        .unwrap()
        .save(&path)
        .unwrap();
    let bytes = std::fs::read(&path).unwrap();
    std::fs::write(&path, replaced(&bytes, "neg(x)", "nex(x)")).unwrap();
    let error = load(&path).unwrap_err().to_string();
    assert!(error.contains("f.graph: graph.text:2:"), "{error}");
    assert!(error.ends_with("no op is called `nex`"), "{error}");
    let newer = replaced(&bytes, "graph.version\":\"1", "graph.version\":\"2");
    assert_eq!(
        load_from_bytes(&newer).unwrap_err().to_string(),
        "graph.version: version \"2\" of the format, but this library reads version 1"
    );
    let error = load_from_bytes(&bytes[..bytes.len() - 1])
        .unwrap_err()
        .to_string();
    assert!(error.starts_with("byte 0: a header of"), "{error}");
}

#[test]
fn names_are_different_and_a_wrong_one_lists_the_others() {
    let concrete = negated::concrete(TensorSpec::new(&[None])).unwrap();
    let functions = Functions::new().with("a", &concrete).unwrap();
    let twice = functions.clone().with("a", &concrete).unwrap_err();
    assert_eq!(
        twice.message(),
        "there is already a function of the name `a`"
    );
    let missing = functions.get("b").unwrap_err();
    assert_eq!(missing.to_string(), "there is no function `b`, but `a`");
}
