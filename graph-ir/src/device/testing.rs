//! A host for tests of plans that print nothing and draw nothing.

use std::io;

use super::Host;
use crate::print::PrintTo;

/// A host that fails when it is used.
pub(crate) struct NoHost;

impl Host for NoHost {
    fn print(&mut self, text: &str, _: &PrintTo) -> io::Result<()> {
        Err(io::Error::other(format!("nobody prints {text}")))
    }

    fn next_seed(&mut self, _: Option<i64>) -> [i64; 2] {
        [1, 2]
    }
}
