//! Graphs without tracing: the part of graph functions that compiles and runs. `graph-runtime` traces Rust functions into these graphs, and
//! re-exports what users need. Other devices, file formats and code generators depend on this crate only.
//!
//! - [`types`]: what is known about a value at compile time: dtype and shape;
//! - [`graph`]: typed SSA values, nodes with closed subgraphs; verifier, text form, Graphviz;
//! - [`function`]: a graph with the structure of its parameters and results, as importers and exporters see it;
//! - [`ops`]: the op table, one row per op: name, attributes, type rule, kernel;
//! - [`passes`]: optimizations, which keep results, prints and assertions;
//! - [`plan`]: compiles a graph to a flat list of instructions with jumps;
//! - [`executable`]: a graph with its compiled programs: per device one for all sizes, and some for sizes that recur;
//! - [`device`]: devices, which hold values and run programs; the CPU is one of them;
//! - [`recipes`]: the operations of a dataset, without its tensors.

#![forbid(unsafe_code)]
extern crate self as graph_ir;

pub mod denormals;
pub mod device;
pub mod error;
pub mod executable;
pub mod function;
pub mod graph;
pub mod nesting;
pub mod ops;
pub mod passes;
pub mod plan;
pub mod print;
pub mod recipes;
pub mod scoped;
mod sets;
pub mod steps;
pub mod sync;
pub mod types;
