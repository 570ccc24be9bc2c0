//! What the reader finds in the models of graph-runtime's tests, and in damaged files.

use super::signature::{Kind, Signature};

fn model(name: &str) -> Vec<u8> {
    let folder = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../graph-runtime/tests/onnx_models/"
    );
    std::fs::read(format!("{folder}{name}.onnx")).expect("the model")
}

/// The declarations of `scripts/onnx_models.py`.
#[test]
fn a_signature_is_read() {
    let signature = Signature::read(&model("two")).expect("a model");
    let texts = |all: &[super::Declared]| -> Vec<String> {
        let text = |one: &super::Declared| format!("{}: {}", one.name, one.text());
        all.iter().map(text).collect()
    };
    let inputs = [
        "x: a `Tensor<f32, shape![_, 3]>`",
        "row.ids: a `Tensor<i64, shape![_]>`",
    ];
    assert_eq!(texts(&signature.inputs), inputs);
    let outputs = [
        "sum: a `Tensor<f32, shape![_, 3]>`",
        "largest: a `Tensor<f32, shape![]>`",
    ];
    assert_eq!(texts(&signature.outputs), outputs);
    assert!(!signature.has_other_files);
}

/// A model without a shape, with a weight among its inputs whose values are in another file: `graph { initializer { name: "w",
/// data_location: EXTERNAL } input { name: "w" } input { name: "s" type { sequence_type {} } } output { name: "y" type { tensor_type {
/// elem_type: 1 } } } }`.
#[test]
fn weights_are_no_inputs() {
    let initializer = [0x2a, 5, 0x42, 1, b'w', 0x70, 1];
    let inputs = [
        0x5a, 3, 0x0a, 1, b'w', 0x5a, 7, 0x0a, 1, b's', 0x12, 2, 0x22, 0,
    ];
    let output = [0x62, 9, 0x0a, 1, b'y', 0x12, 4, 0x0a, 2, 0x08, 1];
    let graph = [&initializer[..], &inputs, &output].concat();
    let model = [&[0x3a, graph.len() as u8][..], &graph].concat();
    let signature = Signature::read(&model).expect("a model");
    assert!(signature.has_other_files);
    let names: Vec<&str> = signature
        .inputs
        .iter()
        .map(|input| input.name.as_str())
        .collect();
    assert_eq!(names, ["s"]);
    assert!(matches!(
        signature.inputs[0].kind,
        Kind::Other("a sequence")
    ));
    assert!(matches!(signature.outputs[0].kind, Kind::Tensor(1, None)));
}

/// `graph { input { name: "x" type { tensor_type { elem_type: 1 shape { dim { dim_value: … } } } } } }`.
#[test]
fn a_negative_size_is_refused() {
    let message = |tag: u8, inside: &[u8]| [&[tag, inside.len() as u8], inside].concat();
    let of_size = |size: &[u8]| {
        let shape = message(0x12, &message(0x0a, &[&[0x08], size].concat()));
        let tensor = message(0x0a, &[&[0x08, 1], &shape[..]].concat());
        let name_and_type = [&message(0x0a, b"x")[..], &message(0x12, &tensor)].concat();
        let signature = Signature::read(&message(0x3a, &message(0x5a, &name_and_type)));
        signature.map(|signature| signature.inputs[0].text())
    };
    assert_eq!(of_size(&[3]).unwrap(), "a `Tensor<f32, shape![3]>`");
    // -1 as protobuf writes it.
    let minus_one = [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01];
    assert!(of_size(&minus_one).is_err());
}

/// Neither a beginning of a file nor a file with any one byte changed makes the reader panic.
#[test]
fn damaged_files_are_read_or_refused() {
    let model = model("two");
    for end in 0..model.len() {
        let _ = Signature::read(&model[..end]);
        for change in [0x01, 0x80, 0xff] {
            let mut damaged = model.clone();
            damaged[end] ^= change;
            let _ = Signature::read(&damaged);
        }
    }
}
