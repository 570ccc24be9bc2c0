//! Datasets: loops of graphs over them, and their elements in plain Rust.

mod elements;
mod loops;
mod ranges;
mod several;
mod windows;

use graph_runtime::prelude::*;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The streams of seeds belong to the process: tests that begin them anew do so one after the other.
static STREAMS: Mutex<()> = Mutex::new(());

fn alone() -> MutexGuard<'static, ()> {
    STREAMS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The values of all elements, for datasets of scalars.
fn values(dataset: &Dataset<Tensor<i64>>) -> Vec<i64> {
    dataset.iter().map(|n| n.item()).collect()
}
