//! ONNX: the messages of its files, and the two directions.

pub mod export;
#[allow(
    missing_docs,
    clippy::all,
    clippy::pedantic,
    clippy::restriction,
    reason = "generated from protos/onnx.proto"
)]
#[rustfmt::skip]
pub mod proto;

mod import;

pub use import::{Data, Error, ErrorKind, Model, Parameter, Type, Weight};
