//! The workloads that compare this project with other graph frameworks, and the worker that runs them for a driver. The driver passes
//! inputs as `.npy` files, checks the results and asks for time samples.
//!
//! | file | holds |
//! |---|---|
//! | `workloads/` | the programs, written like a user's, and the list of them |
//! | `program.rs` | a workload's function with its arguments, ready to be called repeatedly |
//! | `npy.rs` | reading and writing arrays |
//! | `sampling.rs`, `usage.rs` | how long a call takes, and what else it uses |
//! | `protocol.rs` | requests and replies, one line of JSON each |
//! | `twice.rs` | functions with and without the attribute, timed in turns |
//!
//! Arguments are tensors made before the clock starts. A call is an ordinary one, `f(x)`, with a handle of each argument. It is complete
//! when it returns, and its results are dropped before the next call.

#![forbid(unsafe_code)]

pub mod npy;
pub mod program;
pub mod protocol;
pub mod sampling;
pub mod twice;
pub mod usage;
pub mod workloads;
