//! What the tests of plans share.

use crate::device::Host;

/// A host that keeps the lines and counts the seeds.
#[derive(Default)]
pub(super) struct Lines(pub Vec<String>, i64);

impl Host for Lines {
    fn print(&mut self, line: &str) {
        self.0.push(line.to_owned());
    }

    fn next_seed(&mut self, op_seed: Option<i64>) -> [i64; 2] {
        self.1 += 1;
        [op_seed.unwrap_or(0), self.1]
    }
}
