//! Devices: what holds values and runs programs. [`Backend`] is the one door to a device; [`Device`] is a handle of one, and [`Storage`] a
//! value that lives on one. The CPU is the first device, with kernels below it.

mod backend;
mod cpu;
mod host;
mod place;
mod storage;
#[cfg(test)]
pub(crate) mod testing;
mod update;

use smallvec::SmallVec;

pub use backend::{Backend, Device, Program};
pub use cpu::{Cpu, Done, Watch, update};
pub use host::Host;
pub use place::Place;
pub use storage::{Memory, Remote, Storage, WeakStorage};
pub use update::update_variable;

/// What a run gives; a few values need no list in memory.
pub type Outputs = SmallVec<[Storage; 4]>;
