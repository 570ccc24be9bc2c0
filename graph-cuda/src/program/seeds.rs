//! Seeds of runs that are done twice: where a rehearsal or a launch doesn't count, the ordinary run that follows draws the same seeds.

use std::collections::VecDeque;
use std::io;

use graph_ir::device::{Host, Place};
use graph_ir::graph::{PrintTo, Summary};
use graph_kernels::Array;

/// Seeds that were drawn, in order. Runs may draw from streams in another order, but each stream's seeds are the same.
#[derive(Clone, Default)]
pub struct Seeds(VecDeque<(Option<i64>, [i64; 2])>);

impl Seeds {
    /// Adds a seed of a stream.
    pub fn add(&mut self, stream: Option<i64>, seed: [i64; 2]) {
        self.0.push_back((stream, seed));
    }

    /// Adds seeds that were drawn later.
    pub fn extend(&mut self, others: Seeds) {
        self.0.extend(others.0);
    }

    /// The first seed of a stream, which is taken out.
    pub fn next(&mut self, stream: Option<i64>) -> Option<[i64; 2]> {
        let place = self.0.iter().position(|(of, _)| *of == stream)?;
        self.0.remove(place).map(|(_, seed)| seed)
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// A host that keeps the seeds that are drawn.
pub struct Listens<'a> {
    /// The host.
    pub host: &'a mut dyn Host,
    /// The seeds.
    pub drawn: &'a mut Seeds,
}

impl Host for Listens<'_> {
    fn print(&mut self, text: &str, to: &PrintTo) -> io::Result<()> {
        self.host.print(text, to)
    }

    fn next_seed(&mut self, op_seed: Option<i64>) -> [i64; 2] {
        let seed = self.host.next_seed(op_seed);
        self.drawn.add(op_seed, seed);
        seed
    }

    fn coming_seed(&self, op_seed: Option<i64>) -> Option<[i64; 2]> {
        self.host.coming_seed(op_seed)
    }

    fn take_seeds(&self, op_seed: Option<i64>, first: [i64; 2], count: u64) -> bool {
        self.host.take_seeds(op_seed, first, count)
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
    pub seeds: Seeds,
}

impl Host for Drawn<'_> {
    fn print(&mut self, text: &str, to: &PrintTo) -> io::Result<()> {
        self.host.print(text, to)
    }

    fn next_seed(&mut self, op_seed: Option<i64>) -> [i64; 2] {
        let drawn = self.seeds.next(op_seed);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_stream_has_its_seeds_in_order() {
        let mut seeds = Seeds::default();
        for (stream, seed) in [(None, 0), (Some(5), 1), (None, 2)] {
            seeds.add(stream, [7, seed]);
        }
        assert_eq!(seeds.next(Some(5)), Some([7, 1]));
        assert_eq!(seeds.next(Some(5)), None);
        assert_eq!(
            [seeds.next(None), seeds.next(None)],
            [Some([7, 0]), Some([7, 2])]
        );
        assert!(seeds.is_empty());
    }
}
