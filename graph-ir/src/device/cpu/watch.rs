//! Watchers observe a run of a plan. Counters, profilers and debuggers are watchers. A run without a watcher has no overhead: the
//! watcher is `()`, and the compiler removes the calls.

use graph_kernels::Array;

use super::frame::Values;
use crate::device::Place;
use crate::device::{Host, Storage};
use crate::error::{Error, Location};
use crate::plan::{Instruction, Source};

/// Observes a run of a plan.
pub trait Watch {
    /// Whether it sees every instruction. If not, iterations may run without being shown to it.
    const WATCHES: bool = true;

    /// Whether word programs count their instructions.
    const COUNTS: bool = false;

    /// Called before an instruction, with its position in the plan.
    fn before(&mut self, _instruction: usize) {}

    /// Called after an instruction.
    ///
    /// # Errors
    /// The run fails with this error.
    fn after(&mut self, _done: &Done<'_>) -> Result<(), Error> {
        Ok(())
    }
}

impl Watch for () {
    const WATCHES: bool = false;
}

/// An instruction that has been executed.
pub struct Done<'a> {
    /// Its position in the plan.
    pub at: usize,
    /// The instruction.
    pub instruction: &'a Instruction,
    /// The user's line that the instruction came from.
    pub location: &'a Location,
    /// How many instructions were executed: itself, and those of its word program if they are counted.
    pub instructions: u64,
    pub(super) values: Values<'a>,
    pub(super) host: &'a dyn Host,
}

impl<'a> Done<'a> {
    /// The array at a source of the plan, at this moment.
    pub fn array(&self, source: Source) -> &'a Array {
        self.values.get(source)
    }

    /// The value of a variable of the plan, at this moment.
    pub fn variable(&self, position: u32) -> Option<Storage> {
        self.host.variable(position).map(Place::read)
    }
}

/// Counts instructions.
#[derive(Default)]
pub(super) struct Counter(pub u64);

impl Watch for Counter {
    const COUNTS: bool = true;

    fn after(&mut self, done: &Done<'_>) -> Result<(), Error> {
        self.0 += done.instructions;
        Ok(())
    }
}
