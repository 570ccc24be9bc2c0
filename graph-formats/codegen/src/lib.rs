//! Makes Rust types of the messages in `protos/`. The result is committed, so that building `graph-formats` needs no compiler of protobuf
//! files; `cargo run -p graph-formats-codegen` writes it anew, and a test compares the two.

use std::path::{Path, PathBuf};

/// Each file of messages, and the generated file for it.
pub const FILES: &[(&str, &str)] = &[
    ("onnx.proto", "src/onnx/proto.rs"),
    ("events.proto", "src/events/proto.rs"),
    ("tensorflow.proto", "src/tensorflow/proto.rs"),
];

/// The folder of `graph-formats`.
pub fn folder() -> PathBuf {
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    own.parent().unwrap_or(own).to_owned()
}

/// The Rust types of a file of messages, as text.
///
/// # Errors
/// If the file has a mistake.
pub fn generate(proto: &str) -> Result<String, Box<dyn std::error::Error>> {
    let files = protox::compile([proto], [folder().join("protos")])?;
    let mut config = prost_build::Config::new();
    // Maps with an order, so that the same model gives the same bytes.
    config.btree_map(["."]);
    let into = std::env::temp_dir().join(format!("graph-formats-{}-{proto}", std::process::id()));
    std::fs::create_dir_all(&into)?;
    config.out_dir(&into).compile_fds(files)?;
    let stem = Path::new(proto).file_stem().unwrap_or_default();
    let text = std::fs::read_to_string(into.join(stem).with_extension("rs"))?;
    std::fs::remove_dir_all(&into)?;
    Ok(text)
}
