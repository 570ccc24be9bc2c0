//! Programs that the most similar Rust macro, cubecl's `#[cube]`, rejects (25) or accepts and compiles wrongly (9).
//! Each is written once and compiled three times: as plain Rust, under `#[graph_fn]` over Rust values, and under
//! `#[graph_fn]` over tensors. Traced, cached and eager runs of the latter two must give the results of plain Rust.
#![allow(
    clippy::all,
    reason = "the programs are written to have a form, not to be short"
)]

#[macro_use]
#[path = "../support/mod.rs"]
mod support;

mod miscompiled;
mod rejected;
