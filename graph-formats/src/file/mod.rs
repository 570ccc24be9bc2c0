//! The project's own file: functions with the variables that they share. It is a safetensors file (<https://github.com/huggingface/safetensors>),
//! so other tools list and read its tensors. Version 1:
//!
//! - a tensor for each variable, under its name, and `constant.0`, `constant.1`, … for the constants of more than 64 values. Strings, which
//!   safetensors has no dtype for, are bytes: the length of each in eight bytes, then all texts;
//! - in the metadata, three texts: `graph.version`, `1`; `graph.text`, the graphs as [text](graph_ir::graph::library); `graph.functions`, the
//!   signatures as JSON (`signature`).
//!
//! The same functions and values give the same bytes. [`read`] and [`write()`] touch no file system.
//!
//! - `container`: the parts of a safetensors file; `json`: its header; `tensors`: arrays as bytes;
//! - `signature`: parameters, results and variables as JSON.

mod container;
mod error;
mod json;
mod read;
mod signature;
mod tensors;
mod write;

use std::sync::Arc;

use graph_ir::function::Function;
use graph_kernels::Array;

pub use error::ReadError;
pub use read::read;
pub use write::{is_reserved, write};

/// The version of the format that [`write()`] writes.
pub const VERSION: u32 = 1;

/// The texts in the metadata.
const VERSION_KEY: &str = "graph.version";
const TEXT_KEY: &str = "graph.text";
const FUNCTIONS_KEY: &str = "graph.functions";

/// What a file holds.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Contents {
    /// The functions, each under another name.
    pub functions: Vec<Held>,
    /// The variables that belong to the functions.
    pub variables: Vec<StoredVariable>,
}

/// A function in a file.
#[derive(Clone, Debug, PartialEq)]
pub struct Held {
    /// The name under which the file has it.
    pub name: String,
    /// The function.
    pub function: Function,
    /// The variables that belong to it, in the order of its graph's table, as positions in [`Contents::variables`].
    pub variables: Vec<usize>,
}

/// A variable in a file. Its type is that in the graphs of the functions that it belongs to.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredVariable {
    /// Its name, which no other variable has.
    pub name: String,
    /// Its value.
    pub value: Arc<Array>,
}
