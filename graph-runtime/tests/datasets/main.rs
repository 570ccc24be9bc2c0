//! Datasets: loops over them in graphs, and their elements in plain Rust.

mod elements;
mod loops;
mod ranges;
mod several;
mod windows;

use graph_runtime::prelude::*;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The seed streams belong to the process, so tests that reset them run one after the other.
static STREAMS: Mutex<()> = Mutex::new(());

fn alone() -> MutexGuard<'static, ()> {
    STREAMS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The values of all elements, for datasets of scalars.
fn values(dataset: &Dataset<Tensor<i64>>) -> Vec<i64> {
    dataset.iter().map(|n| n.item()).collect()
}
