//! TensorFlow's files: graphs (GraphDef), models (SavedModel) and checkpoints (TensorBundle).
//!
//! - [`graph_def`]: a graph as a GraphDef, whose `Display` is the text that TensorFlow prints;
//! - [`proto`]: the messages of the files.
//!
//! `signatures` knows the arguments and results of TensorFlow's ops, `types` and `tensors` its dtypes, shapes and arrays.

mod attributes;
mod error;
mod export;
#[allow(
    missing_docs,
    clippy::all,
    clippy::pedantic,
    clippy::restriction,
    reason = "generated from protos/tensorflow.proto"
)]
pub mod proto;
mod signatures;
mod tensors;
mod text;
mod types;

pub use error::{Error, ErrorKind, Result};
pub use export::graph_def;
