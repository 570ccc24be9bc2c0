//! The host of graph functions that a Rust program calls: prints go to the standard output (or to a collector in a test), seeds
//! come from the streams of the process, variables from the call.

use std::io;
use std::sync::Arc;

use graph_ir::device::Place;

use crate::device::{self, Device, Host, Storage};
use crate::error::{Location, Result};
use crate::graph::PrintTo;
#[cfg(feature = "tensorboard")]
use crate::graph::Summary;
#[cfg(feature = "tensorboard")]
use crate::summaries;
use crate::{print, seeds};
#[cfg(feature = "tensorboard")]
use graph_kernels::Array;

/// The calling thread as a [`Host`].
#[derive(Clone, Copy, Default)]
pub(crate) struct Caller<'a> {
    /// The variables among the arguments, which come first in a graph's table.
    pub arguments: &'a [Arc<Place>],
    /// The variables that the function captured; they follow the arguments in the table.
    pub captured: &'a [Arc<Place>],
}

impl Caller<'_> {
    /// The device on which a call with these inputs runs.
    ///
    /// # Errors
    /// If it is the default, and the default can't be had.
    #[inline]
    pub fn device_of(&self, inputs: &[&Storage], location: &Location) -> Result<Device> {
        if Device::only_cpu() {
            return Ok(Device::cpu());
        }
        let variables = self.arguments.iter().chain(self.captured);
        let held: Vec<Storage> = variables.map(|place| place.read()).collect();
        device::of_operands(inputs.iter().copied().chain(&held), location)
    }
}

impl Host for Caller<'_> {
    fn print(&mut self, text: &str, to: &PrintTo) -> io::Result<()> {
        print::write(text, to)
    }

    fn next_seed(&mut self, op_seed: Option<i64>) -> [i64; 2] {
        seeds::next(op_seed)
    }

    fn coming_seed(&self, op_seed: Option<i64>) -> Option<[i64; 2]> {
        Some(seeds::coming(op_seed))
    }

    fn take_seeds(&self, op_seed: Option<i64>, first: [i64; 2], count: u64) -> bool {
        seeds::take(op_seed, first, count)
    }

    #[cfg(feature = "tensorboard")]
    fn writes_summaries(&self) -> bool {
        summaries::writes()
    }

    #[cfg(feature = "tensorboard")]
    fn write_summary(&mut self, summary: &Summary, value: &Array, step: i64) -> io::Result<()> {
        summaries::write(summary, value, step)
    }

    fn variable(&self, position: u32) -> Option<&Place> {
        let position = position as usize;
        let captured = || self.captured.get(position - self.arguments.len());
        Some(self.arguments.get(position).or_else(captured)?)
    }
}
