//! The driver itself: faults, graphs, captures, switches and counters. These are global to the process, so one test runs at a time.

#[path = "../common/mod.rs"]
mod common;
mod deferred;
mod faults;
mod graphs;
mod planted;
mod races;
mod switches;

use graph_cuda_fake::control;
use std::sync::{Mutex, MutexGuard, PoisonError};

static ALONE: Mutex<()> = Mutex::new(());

/// Keeps other tests away, and gives the driver its defaults.
fn alone() -> MutexGuard<'static, ()> {
    let guard = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    control::reset();
    common::open();
    guard
}
