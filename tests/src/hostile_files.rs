//! Checks that arbitrary bytes cause nothing but errors in the readers of files. The fuzz targets of `fuzz/` call these functions, and a test runs
//! them on the corpus of each target, whole and damaged.

use graph_formats::tensorflow::proto::GraphDef;
use graph_formats::tensorflow::{Bundle, graph_of, saved_model};

use crate::hostile;

/// The entry function of a fuzz target.
pub type Entry = fn(&[u8]);

/// The targets whose bytes are a file's, with the names of the folders of `fuzz/corpus`.
pub const TARGETS: &[(&str, Entry)] = &[
    ("graph_text", hostile::text),
    ("saved_file", hostile::saved_file),
    ("onnx", onnx),
    ("tensorflow_model", tensorflow_model),
    ("tensorflow_checkpoint", tensorflow_checkpoint),
];

/// Reads bytes as a model of ONNX.
pub fn onnx(bytes: &[u8]) {
    let _ = graph_formats::onnx::Model::from_bytes(bytes);
}

/// Reads bytes as a graph and as a model of TensorFlow.
pub fn tensorflow_model(bytes: &[u8]) {
    if let Ok(def) = GraphDef::from_bytes(bytes) {
        for node in &def.node {
            let _ = graph_of(&def, &[&node.name]);
        }
        let _ = def.to_string();
    }
    let _ = saved_model::from_bytes(&[("saved_model.pb".to_owned(), bytes.to_vec())].into());
}

/// Reads bytes as the index and the data of a checkpoint of TensorFlow. What loads must be the same after it is written.
///
/// # Panics
/// If a check fails: that is an error in the project.
pub fn tensorflow_checkpoint(bytes: &[u8]) {
    if let Ok(bundle) = Bundle::from_bytes(bytes, &[bytes]) {
        let (index, data) = bundle.to_bytes();
        assert_eq!(Bundle::from_bytes(&index, &[data]), Ok(bundle));
    }
}
