//! Which device makes a tensor or runs an op. [`Device`] is a handle of a device; `graph-ir` defines what a device must do and what
//! a value on it is. [`OpenDevice`] finds devices.
//!
//! [The guide](crate::guide::devices) has a page on devices.
//!
//! The device of an op or a call is that of the innermost [`scope`]; without a scope it is the first device among the operands that
//! isn't the CPU; failing that it is the default: the one of [`set_default`], or else the one that the environment variable `GRAPH_DEVICE`
//! [names](OpenDevice::named), or else the CPU. Operands that live on another device are copied to it.

#[cfg(all(
    feature = "cuda",
    target_os = "linux",
    any(target_arch = "x86_64", target_arch = "aarch64")
))]
mod cuda;
#[cfg(not(all(
    feature = "cuda",
    target_os = "linux",
    any(target_arch = "x86_64", target_arch = "aarch64")
)))]
#[path = "no_cuda.rs"]
mod cuda;
mod open;

use std::borrow::Borrow;
use std::cell::Cell;
use std::fmt;
use std::marker::PhantomData;
use std::sync::{Arc, OnceLock, PoisonError, RwLock};

use graph_kernels::Array;

#[cfg(feature = "unstable")]
pub use graph_ir::device::{
    Backend, Cpu, Direction, Done, Host, Memory, Outputs, Program, Remote, Storage, Transfer,
    Watch, WeakStorage, transferred, transfers_are_of,
};
pub use graph_ir::device::{Description, Device};
#[cfg(not(feature = "unstable"))]
pub(crate) use graph_ir::device::{
    Direction, Done, Host, Outputs, Storage, Transfer, Watch, WeakStorage, transfers_are_of,
};
pub(crate) use graph_ir::device::{update, update_variable, watch_transfers, without_transfers};

pub use open::OpenDevice;

use crate::error::{Error, Location, Result, fail};

/// The environment variable that names the default device.
const VARIABLE: &str = "GRAPH_DEVICE";

/// The device that the program set as its default.
static DEFAULT: RwLock<Option<Device>> = RwLock::new(None);

thread_local! {
    static SCOPE: Cell<Option<Device>> = const { Cell::new(None) };
}

/// Sets the device on which tensors are made and ops run, for all threads, where neither a [`scope`] nor an operand decides otherwise. It comes
/// before the device that `GRAPH_DEVICE` names.
///
/// ```
/// use graph_runtime::device::{self, Device};
///
/// device::set_default(Device::cpu());
/// assert_eq!(device::current(), Device::cpu());
/// ```
pub fn set_default(device: impl Borrow<Device>) {
    let device = *device.borrow();
    *DEFAULT.write().unwrap_or_else(PoisonError::into_inner) = Some(device);
    if device.is_cpu() {
        Device::decided_for_cpu();
    }
}

/// Makes this thread create tensors and run ops on `device`, wherever the operands live, until the scope is dropped.
///
/// ```
/// use graph_runtime::device::{self, Device};
/// use graph_runtime::prelude::*;
///
/// let _scope = device::scope(Device::cpu());
/// assert_eq!(tensor([1, 2]).device(), Device::cpu());
/// ```
#[must_use = "the scope ends where this is dropped"]
pub fn scope(device: impl Borrow<Device>) -> Scope {
    Scope {
        before: SCOPE.replace(Some(*device.borrow())),
        thread: PhantomData,
    }
}

/// The guard that [`scope`] returns.
pub struct Scope {
    before: Option<Device>,
    /// A scope ends in the thread in which it began.
    thread: PhantomData<*const ()>,
}

impl fmt::Debug for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Scope")
    }
}

impl Drop for Scope {
    fn drop(&mut self) {
        SCOPE.set(self.before);
    }
}

/// The device on which this thread creates tensors at this point.
///
/// # Panics
/// If the environment variable `GRAPH_DEVICE` decides, and names no device or one that can't be opened. The first tensor that is made panics
/// for the same reason, or ends its graph function with the error.
#[track_caller]
pub fn current() -> Device {
    match here(&Location::caller()) {
        Ok(device) => device,
        Err(error) => fail(error),
    }
}

/// Like [`current`], at this line of the program.
///
/// # Errors
/// If `GRAPH_DEVICE` decides, and its device can't be had.
pub(crate) fn here(location: &Location) -> Result<Device> {
    of_operands([], location)
}

/// The device on which an op with these operands runs, at this line of the program.
///
/// # Errors
/// If `GRAPH_DEVICE` decides, and its device can't be had.
#[inline]
pub(crate) fn of_operands<'a>(
    operands: impl IntoIterator<Item = &'a Storage>,
    location: &Location,
) -> Result<Device> {
    if Device::only_cpu() {
        return Ok(Device::cpu());
    }
    transfers_are_of(location);
    if let Some(device) = SCOPE.get() {
        return Ok(device);
    }
    let mut devices = operands.into_iter().map(Storage::device);
    match devices.find(|device| !device.is_cpu()) {
        Some(device) => Ok(device),
        None => default().map_err(|message| Error::run(message, location.clone())),
    }
}

fn default() -> Result<Device, String> {
    let set = *DEFAULT.read().unwrap_or_else(PoisonError::into_inner);
    match set {
        Some(device) => Ok(device),
        None => of_environment(),
    }
}

/// The device that the environment names, which is looked up once.
fn of_environment() -> Result<Device, String> {
    static NAMED: OnceLock<Result<Device, String>> = OnceLock::new();
    let named = NAMED.get_or_init(|| {
        let Some(name) = std::env::var_os(VARIABLE) else {
            return Ok(Device::cpu());
        };
        let name = name.to_string_lossy();
        open::named(&name).map_err(|reason| format!("{VARIABLE}={name}: {reason}"))
    });
    if named.as_ref().is_ok_and(|device| device.is_cpu()) {
        Device::decided_for_cpu();
    }
    named.clone()
}

/// Moves a value of the host to the current device.
pub(crate) fn bring_here(array: impl Into<Arc<Array>>, location: &Location) -> Result<Storage> {
    moved(&Storage::Host(array.into()), here(location)?, location)
}

/// The value on another device.
pub(crate) fn moved(value: &Storage, to: Device, location: &Location) -> Result<Storage> {
    transfers_are_of(location);
    to.bring(value)
        .map_err(|error| Error::run(error.message(), location.clone()))
}
