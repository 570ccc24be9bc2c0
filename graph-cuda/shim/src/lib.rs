//! Lets `cust` and `cust_raw` run in a program that doesn't link `libcuda`.
//!
//! `cust_raw` only declares the driver's functions. This crate defines each of them under the same name (`forward`); a definition calls the
//! function of the driver that [`load`] found, or returns an error code where there is no driver, or where the driver lacks the function. So one
//! program starts on every machine, and `cuInit` fails with an ordinary code on a machine without a driver.
//!
//! The crate must be linked for this, so whoever uses `cust` through it calls [`load`] first.

mod driver;
mod forward;

pub use driver::{LIBRARY, NoDriver, is_library, load, missing, symbol, use_functions};
pub use forward::last_unlisted;
