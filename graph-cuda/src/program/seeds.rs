//! Seeds of runs that are done twice: where a rehearsal or a launch doesn't count, the ordinary run that follows draws the same seeds.

use std::collections::VecDeque;
use std::io;

use graph_ir::device::{Host, Place};
use graph_ir::graph::{PrintTo, Summary};
use graph_kernels::Array;

/// A host that keeps the seeds that are drawn.
pub struct Listens<'a> {
    /// The host.
    pub host: &'a mut dyn Host,
    /// The seeds.
    pub drawn: &'a mut VecDeque<[i64; 2]>,
}

impl Host for Listens<'_> {
    fn print(&mut self, text: &str, to: &PrintTo) -> io::Result<()> {
        self.host.print(text, to)
    }

    fn next_seed(&mut self, op_seed: Option<i64>) -> [i64; 2] {
        let seed = self.host.next_seed(op_seed);
        self.drawn.push_back(seed);
        seed
    }

    fn writes_summaries(&self) -> bool {
        self.host.writes_summaries()
    }

    fn write_summary(&mut self, summary: &Summary, value: &Array, step: i64) -> io::Result<()> {
        self.host.write_summary(summary, value, step)
    }

    fn variable(&self, position: u32) -> Option<&Place> {
        self.host.variable(position)
    }
}

/// A host whose next seeds were drawn already.
pub struct Drawn<'a> {
    /// The host.
    pub host: &'a mut dyn Host,
    /// The seeds.
    pub seeds: VecDeque<[i64; 2]>,
}

impl Host for Drawn<'_> {
    fn print(&mut self, text: &str, to: &PrintTo) -> io::Result<()> {
        self.host.print(text, to)
    }

    fn next_seed(&mut self, op_seed: Option<i64>) -> [i64; 2] {
        let drawn = self.seeds.pop_front();
        drawn.unwrap_or_else(|| self.host.next_seed(op_seed))
    }

    fn writes_summaries(&self) -> bool {
        self.host.writes_summaries()
    }

    fn write_summary(&mut self, summary: &Summary, value: &Array, step: i64) -> io::Result<()> {
        self.host.write_summary(summary, value, step)
    }

    fn variable(&self, position: u32) -> Option<&Place> {
        self.host.variable(position)
    }
}
