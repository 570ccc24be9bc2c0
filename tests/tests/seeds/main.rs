//! The programs of TensorFlow's documents about functions and control flow, in Rust, with the documents' own outputs.
//! One module a document. Where a document draws random numbers and prints what came of them, the numbers it
//! printed are used; where it prints none, the result is compared with the same computation in plain Rust.

#[path = "../support/mod.rs"]
#[allow(unused_macros, reason = "no program here is compiled several times")]
mod support;

mod blog;
mod function_guide;
mod graphs_guide;
mod tutorial;

use std::cell::RefCell;

use support::{eagerly, traced};

thread_local! {
    static TRACE_LOG: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) };
}

/// What `print` is in the documents: a side effect of Rust, seen when the body runs: while tracing, or eagerly.
fn host_print(line: impl Into<String>) {
    TRACE_LOG.with_borrow_mut(|log| log.push(line.into()));
}

/// The host lines and the graph lines that `f` prints on this thread.
fn prints<R>(f: impl FnOnce() -> R) -> (Vec<String>, Vec<String>) {
    TRACE_LOG.take();
    let (_, graph) = graph_runtime::collect_prints(f);
    (TRACE_LOG.take(), graph)
}

/// Asserts a condition over results for a traced, a cached and an eager run.
fn in_each_way(assertions: impl Fn()) {
    support::each_way(assertions);
}
