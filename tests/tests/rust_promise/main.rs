//! The promise about plain Rust: everything that plain Rust accepts for a `bool` condition works under `#[graph_fn]`. Each case
//! is one function over Rust values, compiled twice, with and without the attribute. Both must have the same results: values,
//! logs of side effects, drops, panics with their messages; traced, from the cache and eagerly.
#![allow(
    clippy::all,
    reason = "the programs are written to have a form, not to be short"
)]

#[macro_use]
#[path = "../support/mod.rs"]
mod support;

mod as_written;
mod behind_references;
mod borrows;
mod callables;
mod coercions;
mod everyday;
mod everyday_closures;
mod everyday_types;
mod generics;
mod hygiene;
mod indexing;
mod jumps;
mod macros;
mod methods;
mod moves;
mod names;
mod not_clone;
mod order;
mod patterns;
mod plain;
mod raw_pointers;
mod results;
mod temporaries;
mod unwrapping;
mod values;
