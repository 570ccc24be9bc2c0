//! TensorFlow's files: graphs (GraphDef), models (SavedModel) and checkpoints (TensorBundle).
//!
//! - [`graph_def`]: a graph as a GraphDef, whose `Display` is the text that TensorFlow prints;
//! - [`saved_model`]: models;
//! - [`graph_of`]: a GraphDef as a graph;
//! - [`Bundle`]: a checkpoint;
//! - [`proto`]: the messages of the files.
//!
//! `signatures` knows the arguments and results of TensorFlow's ops, `types` and `tensors` its dtypes, shapes and arrays.

mod attributes;
mod bundle;
mod error;
mod export;
mod files;
mod import;
#[allow(
    missing_docs,
    clippy::all,
    clippy::pedantic,
    clippy::restriction,
    reason = "generated from protos/tensorflow.proto"
)]
pub mod proto;
pub mod saved_model;
mod signatures;
mod tensors;
mod text;
mod types;

pub use bundle::Bundle;
pub use error::{Error, ErrorKind, Result};
pub use export::graph_def;
pub use import::graph_of;

/// A message as the bytes of a file.
pub fn to_bytes(message: &impl prost::Message) -> Vec<u8> {
    message.encode_to_vec()
}
