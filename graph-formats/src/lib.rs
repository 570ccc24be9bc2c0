//! Graphs in files. The crate is beside `graph-runtime` and knows graphs but no tracing: a format turns a [`Graph`](graph_ir::graph::Graph)
//! with its names into bytes, and bytes into such a graph. `graph-runtime` offers the formats to programs, behind features.
//!
//! - [`mod@file`]: the project's own file: functions and their variables, which loads without the program that made it;
//! - `onnx`: models of ONNX, in and out;
//! - [`little_endian`]: arrays as bytes, which all formats share;
//! - `events`: event files, which TensorBoard reads (out only);
//! - `tensorflow`: TensorFlow's GraphDef, SavedModel and checkpoints, in and out.
//!
//! Every byte of a file is treated as hostile: a reader returns an error that says where the file is wrong.

#![forbid(unsafe_code)]

#[cfg(any(feature = "saved-model", feature = "tensorboard"))]
mod checksum;
#[cfg(feature = "tensorboard")]
pub mod events;
pub mod file;
#[cfg(any(feature = "onnx", feature = "saved-model"))]
mod fold;
pub mod little_endian;
#[cfg(feature = "onnx")]
pub mod onnx;
#[cfg(feature = "saved-model")]
pub mod tensorflow;
