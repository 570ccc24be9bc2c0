//! An emulated CUDA driver for tests on machines without a GPU: it interprets PTX on the CPU.
//!
//! [`symbol`] gives the driver's functions by their C names. A program that finds the driver's functions by name can use these instead.
//! [`control`] has the switches and counters for tests, and says what is global to the process.
//!
//! It checks more than a GPU does: each access lies in a live allocation and is aligned, memory that was never written isn't read as if it
//! were, barriers and shuffles are reached by all threads that they name, and accesses of shared memory are ordered by barriers. The first
//! error is the answer of all later calls, as with the real driver; [`last_error`] names the kernel, the line, the thread and the address.
//! Instructions that NVIDIA's assembler refuses are refused here, too.
//!
//! It shows nothing of speed. Threads run one after the other, so what depends on their order in time, other than through barriers, isn't
//! found. Approximated functions are exact here.
//!
//! If the environment variable `FAKE_CUDA_TEXTS` names a folder, each text that is loaded is written there, for an assembler to check.

#![warn(unsafe_op_in_unsafe_fn)]

mod alu;
mod api;
mod code;
pub mod control;
mod counts;
mod driver;
mod exec;
mod ptx;
mod types;
mod windows;

use std::ffi::{CStr, c_void};

/// The address of a function of the driver by its C name, such as `cuLaunchKernel`; `None` if the emulated driver lacks it.
pub fn symbol(name: &CStr) -> Option<*mut c_void> {
    api::find(name.to_str().ok()?)
}

/// What the last error of the process was, in words: the driver's codes say little. It names the kernel, the instruction, the thread and the
/// address of a fault.
pub fn last_error() -> String {
    driver::driver().last_error.clone()
}
