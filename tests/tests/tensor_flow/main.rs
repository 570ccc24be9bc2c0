//! Control flow over tensors: all branches, loops and exits, at any depth, with all kinds of state. Most programs
//! are written once and compiled as plain Rust, under `#[graph_fn]` over Rust values and under `#[graph_fn]` over tensors;
//! traced, cached and eager runs must have the results of plain Rust.
#![allow(
    clippy::all,
    reason = "the programs are written to have a form, not to be short"
)]

#[macro_use]
#[path = "../support/mod.rs"]
mod support;

mod as_written;
mod copies;
mod due;
mod effects;
mod failing;
mod fields;
mod generated_names;
mod items;
mod leaving;
mod leaving_deep;
mod limits;
mod literals;
mod logic;
mod loops;
mod matching;
mod names;
mod nesting;
mod references;
mod state;
mod structured;
mod unwrapping;
