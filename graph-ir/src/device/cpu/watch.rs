//! Watching a run: what looks on while a device walks through a plan. Counting, profiles and the debugging of values are
//! watchers; a run without one pays nothing, since `()` watches nothing and the compiler knows it.

use graph_kernels::Array;

use super::frame::Values;
use crate::device::Place;
use crate::device::{Host, Storage};
use crate::error::{Error, Location};
use crate::plan::{Instruction, Source};

/// Looks on while a plan runs.
pub trait Watch {
    /// Whether word programs count their instructions.
    const COUNTS: bool = false;

    /// An instruction begins; the number is its position in the plan.
    fn before(&mut self, _instruction: usize) {}

    /// An instruction is done.
    ///
    /// # Errors
    /// What the run shall fail with.
    fn after(&mut self, _done: &Done<'_>) -> Result<(), Error> {
        Ok(())
    }
}

impl Watch for () {}

/// An instruction that is done.
pub struct Done<'a> {
    /// Its position in the plan.
    pub at: usize,
    /// What it was.
    pub instruction: &'a Instruction,
    /// The user's line.
    pub location: &'a Location,
    /// How many instructions it ran: itself, and those of a word program if they are counted.
    pub instructions: u64,
    pub(super) values: Values<'a>,
    pub(super) host: &'a dyn Host,
}

impl<'a> Done<'a> {
    /// The array at a source of the plan, as it is now.
    pub fn array(&self, source: Source) -> &'a Array {
        self.values.get(source)
    }

    /// What a variable of the plan holds now.
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
