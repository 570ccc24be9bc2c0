//! The programs of TensorFlow's documents on functions and control flow, in Rust, with the documents' own outputs.
//! There is one module for each document. If a document draws random numbers and prints results, the numbers that it
//! printed are used; if it prints none, the result is compared with the same computation in plain Rust.

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

/// Replaces `print` of the documents: a side effect of Rust, which shows when the body runs: while tracing, or eagerly.
fn host_print(line: impl Into<String>) {
    TRACE_LOG.with_borrow_mut(|log| log.push(line.into()));
}

/// The lines that Rust and the graph print while `f` runs on this thread.
fn prints<R>(f: impl FnOnce() -> R) -> (Vec<String>, Vec<String>) {
    TRACE_LOG.take();
    let (_, graph) = graph_runtime::collect_prints(f);
    (TRACE_LOG.take(), graph)
}

/// Asserts a condition on the results of a traced, a cached and an eager run.
fn in_each_way(assertions: impl Fn()) {
    support::each_way(assertions);
}
