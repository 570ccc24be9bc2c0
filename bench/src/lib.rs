//! The workloads that this project is compared on with other graph frameworks, and the worker that runs them for a
//! driver: the driver hands inputs over as `.npy` files, checks what comes back and asks for samples of the time.
//!
//! | file | holds |
//! |---|---|
//! | `workloads/` | the programs, as a user of the library writes them, and the list of them |
//! | `program.rs` | a workload's function with its arguments: what is called again and again |
//! | `npy.rs` | arrays in and out |
//! | `sampling.rs`, `usage.rs` | how long a call takes, and what else it uses |
//! | `protocol.rs` | requests and replies, a line of JSON each |
//!
//! Arguments are tensors made before the clock starts. A call is the ordinary one, `f(x)`, with a handle of each
//! argument; it is complete when it returns, and its results are dropped before the next.

#![forbid(unsafe_code)]

pub mod npy;
pub mod program;
pub mod protocol;
pub mod sampling;
pub mod usage;
pub mod workloads;
