//! The host of graph functions that are called from a Rust program: prints go to the standard output (or to the
//! collector of a test), seeds come from a count of the process.

use std::sync::atomic::{AtomicI64, Ordering};

use crate::device::Host;
use crate::print;

/// How many seeds were given.
static DRAWS: AtomicI64 = AtomicI64::new(0);

/// The calling thread as a [`Host`].
pub(crate) struct Caller;

impl Host for Caller {
    fn print(&mut self, line: &str) {
        print::line(line);
    }

    fn next_seed(&mut self, op_seed: Option<i64>) -> [i64; 2] {
        let draw = DRAWS.fetch_add(1, Ordering::Relaxed);
        [op_seed.unwrap_or(0), draw]
    }
}
