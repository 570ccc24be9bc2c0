//! Devices hold values and run programs. [`Backend`] is the interface of a device, [`Device`] is a handle of a device, and [`Storage`] is a
//! value on a device. The CPU is the first device; it uses the kernels of `graph-kernels`.

mod backend;
mod cpu;
mod description;
mod explain;
mod fallback;
mod host;
mod place;
mod storage;
#[cfg(test)]
pub(crate) mod testing;
mod transfer;
mod update;

use smallvec::SmallVec;

pub use backend::{Backend, Device, Program};
pub use cpu::{Cpu, Done, Watch, check, update};
pub use description::Description;
pub use explain::{ExplanationOn, OnCpu};
pub use fallback::left_to_cpu;
pub use host::Host;
pub use place::Place;
pub use storage::{Memory, Remote, Storage, WeakStorage};
pub use transfer::{
    Direction, Transfer, transferred, transfers_are_of, watch_transfers, without_transfers,
};
pub use update::update_variable;

/// The outputs of a run; a few outputs need no allocation for the list.
pub type Outputs = SmallVec<[Storage; 4]>;
