//! The host: the interface through which a run interacts with the program around it. A plan computes its outputs from its inputs; every other
//! interaction, such as printing a line, goes through the host, so that tests and other devices can implement it.

use std::io;

use graph_kernels::Array;

use crate::device::Place;
use crate::graph::Summary;
use crate::print::PrintTo;

/// What a run needs from the program that started it.
///
/// ```
/// use graph_runtime::device::{Host, Program};
/// use graph_runtime::{PrintTo, graph::Graph, plan::Plan};
/// use std::io;
///
/// /// Keeps the lines.
/// struct Lines(Vec<String>);
///
/// impl Host for Lines {
///     fn print(&mut self, text: &str, _: &PrintTo) -> io::Result<()> {
///         self.0.push(text.to_owned());
///         Ok(())
///     }
///     fn next_seed(&mut self, op_seed: Option<i64>) -> [i64; 2] {
///         [0, op_seed.unwrap_or(0)]
///     }
/// }
///
/// let graph: Graph = "graph () -> () { print(\"hello\") return }".parse().unwrap();
/// let mut host = Lines(Vec::new());
/// Plan::new(&graph).run(&[], &mut host).unwrap();
/// assert_eq!(host.0, ["hello\n"]);
/// ```
pub trait Host {
    /// Prints a text, which ends with a line break.
    ///
    /// # Errors
    /// If the text can't be written: the run fails.
    fn print(&mut self, text: &str, to: &PrintTo) -> io::Result<()>;

    /// The seed for the next random op. Each execution of a random op asks once, so that each draws new values. `op_seed` is the
    /// op's own seed, if it has one.
    fn next_seed(&mut self, op_seed: Option<i64>) -> [i64; 2];

    /// The next seed of a stream, which isn't drawn, if the streams count: the seed behind `[a, b]` is `[a, b + 1]`. Then a device may draw seeds
    /// itself, and says so by [`take_seeds`](Self::take_seeds). By default, the streams don't count.
    fn coming_seed(&self, op_seed: Option<i64>) -> Option<[i64; 2]> {
        let _ = op_seed;
        None
    }

    /// Draws `count` seeds of a stream at once, if `first` is still the next one. If somebody else has drawn it meanwhile, draws none and returns
    /// `false`.
    fn take_seeds(&self, op_seed: Option<i64>, first: [i64; 2], count: u64) -> bool {
        let _ = (op_seed, first, count);
        false
    }

    /// Whether [`write_summary`](Self::write_summary) writes anything now. If not, the graph runs without its summaries, and without what only
    /// they need. By default, nothing is written.
    fn writes_summaries(&self) -> bool {
        false
    }

    /// Writes a summary of a value at a step.
    ///
    /// # Errors
    /// If it can't be written, or if the value isn't of the kind: the run fails.
    fn write_summary(&mut self, summary: &Summary, value: &Array, step: i64) -> io::Result<()> {
        let _ = (summary, value, step);
        Ok(())
    }

    /// The variable at a position of [`Plan::variables`](crate::plan::Plan::variables); it must be the same one throughout a run. By default,
    /// there are no variables.
    fn variable(&self, position: u32) -> Option<&Place> {
        let _ = position;
        None
    }
}
