//! Which device makes a tensor or runs an op. [`Device`] is a handle of a device; `graph-ir` defines what a device must do and what
//! a value on it is.
//!
//! [The guide](crate::guide::devices) has a page on devices.
//!
//! The device of an op or a call is that of the innermost [`scope`]; without a scope it is the first device among the operands that
//! isn't the CPU; failing that it is the default ([`set_default`]). Operands that live on another device are copied to it.

use std::cell::Cell;
use std::fmt;
use std::marker::PhantomData;
use std::sync::{Arc, PoisonError, RwLock};

use graph_kernels::Array;

pub use graph_ir::device::Device;
#[cfg(feature = "unstable")]
pub use graph_ir::device::{
    Backend, Cpu, Done, Host, Memory, Outputs, Program, Remote, Storage, Watch, WeakStorage,
};
#[cfg(not(feature = "unstable"))]
pub(crate) use graph_ir::device::{Done, Host, Outputs, Storage, Watch, WeakStorage};
pub(crate) use graph_ir::device::{update, update_variable};

use crate::error::Result;

static DEFAULT: RwLock<Device> = RwLock::new(Device::cpu());

thread_local! {
    static SCOPE: Cell<Option<Device>> = const { Cell::new(None) };
}

/// Sets the device on which tensors are made and ops run, for all threads, where neither a [`scope`] nor an operand decides otherwise.
///
/// ```
/// use graph_runtime::device::{self, Device};
///
/// device::set_default(Device::cpu());
/// assert_eq!(device::current(), Device::cpu());
/// ```
pub fn set_default(device: Device) {
    *DEFAULT.write().unwrap_or_else(PoisonError::into_inner) = device;
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
pub fn scope(device: Device) -> Scope {
    Scope {
        before: SCOPE.replace(Some(device)),
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
pub fn current() -> Device {
    match Device::only_cpu() {
        true => Device::cpu(),
        false => SCOPE.get().unwrap_or_else(default),
    }
}

fn default() -> Device {
    *DEFAULT.read().unwrap_or_else(PoisonError::into_inner)
}

/// The device on which an op with these operands runs.
#[inline]
pub(crate) fn of_operands<'a>(operands: impl IntoIterator<Item = &'a Storage>) -> Device {
    if Device::only_cpu() {
        return Device::cpu();
    }
    SCOPE.get().unwrap_or_else(|| {
        let mut devices = operands.into_iter().map(Storage::device);
        devices
            .find(|device| !device.is_cpu())
            .unwrap_or_else(default)
    })
}

/// Moves a value of the host to the current device.
pub(crate) fn bring_here(array: impl Into<Arc<Array>>) -> Result<Storage> {
    current().bring(&Storage::Host(array.into()))
}
