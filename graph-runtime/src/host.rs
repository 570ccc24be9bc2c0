//! The host of graph functions that are called from a Rust program: prints go to the standard output (or to the
//! collector of a test), seeds come from the streams of the process.

use crate::device::Host;
use crate::{print, random};

/// The calling thread as a [`Host`].
pub(crate) struct Caller;

impl Host for Caller {
    fn print(&mut self, line: &str) {
        print::line(line);
    }

    fn next_seed(&mut self, op_seed: Option<i64>) -> [i64; 2] {
        random::streams::next(op_seed)
    }
}
