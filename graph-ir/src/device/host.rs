//! The host: what a run asks of the program around it. A device computes; whatever reaches outside of a plan's inputs
//! and outputs, such as a line to print, goes through here, so that a test, or a device of another kind, can answer it.

use std::io;

use crate::device::Place;
use crate::print::PrintTo;

/// What a run gets from and gives to the program that started it.
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
    /// Takes a text that the plan prints, with the line break at its end.
    ///
    /// # Errors
    /// If the text can't be written: the run fails.
    fn print(&mut self, text: &str, to: &PrintTo) -> io::Result<()>;

    /// The seed of the next random draw: each execution of a random op asks once, so that each draws afresh. `op_seed` is
    /// the seed that the op itself was given, if it was.
    fn next_seed(&mut self, op_seed: Option<i64>) -> [i64; 2];

    /// The variable behind a position in [`Plan::variables`](crate::plan::Plan::variables); the same one throughout a run. By default
    /// there are none.
    fn variable(&self, position: u32) -> Option<&Place> {
        let _ = position;
        None
    }
}
