//! An emulated CUDA driver for tests on machines without a GPU: it interprets PTX on the CPU.
//!
//! [`symbol`] gives the driver's functions by their C names. A program that finds the driver's functions by name can use these instead.
//! [`control`] has the switches and counters for tests.

#![warn(unsafe_op_in_unsafe_fn)]

mod alu;
mod api;
mod code;
pub mod control;
mod counts;
mod decode;
mod driver;
mod exec;
mod ptx;

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
