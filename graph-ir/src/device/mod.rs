//! Devices: what runs a plan. [`Backend`] is the one door between a plan and a device; below it are the kernels.

mod cpu;
mod host;
#[cfg(test)]
pub(crate) mod testing;

use std::sync::Arc;

use graph_kernels::Array;
use smallvec::SmallVec;

use crate::error::Error;
use crate::plan::Plan;

pub use cpu::{Cpu, Done, Watch, update_variable};
pub use host::Host;

/// What a run gives; a few arrays need no list in memory.
pub type Outputs = SmallVec<[Arc<Array>; 4]>;

/// A device that runs plans.
pub trait Backend: Send + Sync {
    /// Runs a plan on its inputs and gives its outputs. What it prints, and the seeds of what it draws, go
    /// through the host in program order.
    ///
    /// # Errors
    /// If the inputs don't have the plan's types, if a kernel fails (with the op and its operands' types), or if an
    /// assertion doesn't hold.
    fn run(
        &self,
        plan: &Plan,
        inputs: &[&Arc<Array>],
        host: &mut dyn Host,
    ) -> Result<Outputs, Error>;
}
