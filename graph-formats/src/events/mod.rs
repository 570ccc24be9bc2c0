//! Event files, which TensorBoard reads. A file is a list of events: each has a time, a step, and a summary (a value under a tag) or a graph.
//!
//! - `record`: how events are framed in a file, with checksums;
//! - `file`: a file that is written, event by event;
//! - `value`: arrays as summaries: scalars, images and text; `histogram`: the buckets of a histogram;
//! - `graph`: graphs for the tab "Graphs";
//! - `hparams`: hyperparameters for the tab "HParams".
//!
//! Files are only written. [`records`] is for tests and tools: it checks a file and returns its events.

mod file;
mod graph;
mod histogram;
mod hparams;
#[allow(
    missing_docs,
    clippy::all,
    clippy::pedantic,
    clippy::restriction,
    reason = "generated from protos/events.proto"
)]
#[rustfmt::skip]
pub mod proto;
mod record;
mod value;

pub use file::EventFile;
pub use graph::graph_def;
pub use hparams::{HParam, experiment, session_end, session_start};
pub use record::{BadRecord, frame, records};
pub use value::summary_value;
