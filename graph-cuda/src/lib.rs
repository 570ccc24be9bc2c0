//! Runs graphs on NVIDIA GPUs.
//!
//! [`device`] opens a GPU as a device. The driver is found at run time, so the same program starts on a machine without one, where `device` says why
//! there is no GPU. Kernels are written as text when they are first needed, and compiled by the driver.
//!
//! - `driver`: the GPU's context, stream, memory and kernels, by `cust`;
//! - `ptx`: writes the text of kernels;
//! - `kernels`: the kernels, by what they do: chains, reductions, products, lookups;
//! - `ops`: the ops of the table, by kernels;
//! - `value`, `apply`: the values of tensors, and one application of an op;
//! - `program`: graphs;
//! - `checks`, `precision`: when errors of kernels are known, and how exact products are;
//! - `backend`: the GPU as a device of `graph-ir`.

mod apply;
mod backend;
mod checks;
mod driver;
mod kernels;
mod ops;
mod precision;
mod program;
mod ptx;
mod value;

pub use backend::{device, find};
pub use checks::check_each_call;
pub use driver::{Failed, Unavailable, count};
pub use precision::allow_tf32;
