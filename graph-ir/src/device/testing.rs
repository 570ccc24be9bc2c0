//! A host for tests of plans that ask for nothing.

use std::io;

use super::Host;
use crate::graph::PrintTo;

/// Nobody around a run.
pub(crate) struct NoHost;

impl Host for NoHost {
    fn print(&mut self, text: &str, _: &PrintTo) -> io::Result<()> {
        Err(io::Error::other(format!("nobody prints {text}")))
    }

    fn next_seed(&mut self, _: Option<i64>) -> [i64; 2] {
        [1, 2]
    }
}
