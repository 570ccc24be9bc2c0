//! TensorFlow's files: graphs (GraphDef), models (SavedModel) and checkpoints (TensorBundle).
//!
//! - `graph_def`: a graph as a GraphDef, whose `Display` is the text that TensorFlow prints;
//! - `saved_model`: models;
//! - `graph_of`: a GraphDef as a graph;
//! - `Bundle`: a checkpoint;
//! - `proto`: the messages of the files.
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
#[rustfmt::skip]
pub mod proto;
pub mod saved_model;
mod signatures;
mod tensors;
mod text;
mod types;

use prost::Message;

pub use bundle::Bundle;
pub use error::{Error, ErrorKind, Result};
pub use export::graph_def;
pub use import::graph_of;

impl proto::GraphDef {
    /// The bytes of a file, which TensorFlow reads as `graph.pb`.
    pub fn to_bytes(&self) -> Vec<u8> {
        self.encode_to_vec()
    }

    /// Reads the bytes of a file.
    ///
    /// # Errors
    /// If they aren't a GraphDef.
    pub fn from_bytes(bytes: &[u8]) -> Result<proto::GraphDef> {
        Ok(proto::GraphDef::decode(bytes)?)
    }

    /// Writes the bytes to a file. A file that is there is replaced as a whole.
    ///
    /// # Errors
    /// If the file can't be written.
    pub fn save(&self, path: impl AsRef<std::path::Path>) -> Result<()> {
        files::write(path.as_ref(), &self.to_bytes())
    }
}
