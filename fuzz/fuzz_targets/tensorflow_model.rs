//! Any bytes as a graph and as a model of TensorFlow: `cargo +nightly fuzz run tensorflow_model` (with cargo-fuzz installed), or
//! `RUSTC_BOOTSTRAP=1 cargo fuzz run tensorflow_model` with the stable compiler.
#![no_main]

use graph_formats::tensorflow::proto::GraphDef;
use graph_formats::tensorflow::{graph_of, saved_model};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    if let Ok(def) = GraphDef::from_bytes(bytes) {
        for node in &def.node {
            let _ = graph_of(&def, &[&node.name]);
        }
        let _ = def.to_string();
    }
    let _ = saved_model::from_bytes(&[("saved_model.pb".to_owned(), bytes.to_vec())].into());
});
