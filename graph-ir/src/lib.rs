//! What knows graphs and no tracing: the part of graph functions that compiles and runs. `graph-runtime` traces Rust functions into these graphs
//! and offers what a program needs of them under its own name; other devices, file formats and code generators are made of this crate alone.
//!
//! - [`types`]: what is known of a value: dtype and shape;
//! - [`graph`]: typed SSA values, nodes with closed subgraphs; verifier, text form, Graphviz;
//! - [`ops`]: the op table, one row an op: name, attributes, type rule, kernel;
//! - [`passes`]: a graph becomes a smaller graph with the same results, prints and assertions;
//! - [`plan`]: a graph becomes a flat list of instructions with jumps;
//! - [`executable`]: a graph with what each device made of it, for all sizes and for sizes that come again;
//! - [`device`]: what holds values and runs programs; the CPU is one device;
//! - [`recipes`]: what a dataset does, without its tensors.

#![forbid(unsafe_code)]
extern crate self as graph_ir;

pub mod denormals;
pub mod device;
pub mod error;
pub mod executable;
pub mod graph;
pub mod nesting;
pub mod ops;
pub mod passes;
pub mod plan;
pub mod print;
pub mod recipes;
pub mod scoped;
pub mod steps;
pub mod sync;
pub mod types;
