//! Devices, contexts and errors.

use super::{Handle, api, put, put_text};
use crate::driver::launch::{LARGEST_BLOCK, LARGEST_GRID, MOST_THREADS};
use crate::driver::module::SHARED_LIMIT;
use crate::driver::queue::finish_all;
use crate::driver::{
    Answer, Driver, code, context_of, current, device, driver, ready, set_current,
};
use std::ffi::{c_char, c_int};

/// Dynamic shared memory that a kernel may ask for.
pub(super) const MOST_SHARED: u32 = 227 << 10;

/// The number of a device, if it exists.
fn numbered(number: c_int) -> Answer<usize> {
    let mut d = driver();
    match usize::try_from(number) {
        Ok(n) if n < d.settings.devices => Ok(n),
        _ => d.refuse(code::INVALID_DEVICE, format!("there is no device {number}")),
    }
}

/// The value of a device attribute by its number in `CUdevice_attribute`.
fn attribute(d: &Driver, number: u32) -> Option<u32> {
    let (major, minor) = d.settings.capability;
    Some(match number {
        1 => MOST_THREADS,
        2..=4 => LARGEST_BLOCK[number as usize - 2],
        5..=7 => LARGEST_GRID[number as usize - 5],
        8 => SHARED_LIMIT,
        9 => 64 << 10,
        10 => 32,
        12 | 82 => 65536,
        13 => 1_000_000,
        // Copies beside kernels, alignment of textures, run time limits, ECC, TCC.
        14 => 512,
        15 | 31 | 41 | 115 => 1,
        16 => d.settings.multiprocessors,
        17 | 18 | 20 | 32 | 35 => 0,
        19 => 1,
        33 | 34 | 50 => 0,
        36 => 1_000_000,
        37 => 512,
        38 => 8 << 20,
        39 => 2048,
        40 => 2,
        75 => major,
        76 => minor,
        81 => MOST_SHARED + (1 << 10),
        83 | 89 => 1,
        95 => 1,
        97 => MOST_SHARED,
        106 => 32,
        _ => return None,
    })
}

api! {
    fn cuInit(flags: u32) {
        let mut d = driver();
        match (flags, d.settings.devices) {
            (0, 0) => d.refuse(code::NO_DEVICE, "a test asked for no device"),
            (0, _) => Ok(()),
            _ => d.refuse(code::INVALID_VALUE, "flags must be 0"),
        }
    }

    fn cuDriverGetVersion(version: *mut c_int) { put(version, driver().settings.version as c_int) }

    fn cuDeviceGetCount(count: *mut c_int) { put(count, driver().settings.devices as c_int) }

    fn cuDeviceGet(to: *mut c_int, number: c_int) { put(to, numbered(number)? as c_int) }

    fn cuDeviceGetName(to: *mut c_char, size: c_int, number: c_int) {
        numbered(number)?;
        put_text(to, size as usize, "emulated device");
        Ok(())
    }

    fn cuDeviceGetUuid_v2(to: *mut [u8; 16], number: c_int) {
        let mut id = *b"emulated device ";
        id[15] = numbered(number)? as u8;
        put(to, id)
    }

    fn cuDeviceTotalMem_v2(to: *mut usize, number: c_int) {
        numbered(number)?;
        put(to, driver().settings.memory as usize)
    }

    fn cuDeviceGetAttribute(to: *mut c_int, number: u32, device: c_int) {
        numbered(device)?;
        let mut d = driver();
        let Some(found) = attribute(&d, number) else {
            return d.refuse(code::INVALID_VALUE, format!("the device attribute {number} isn't known"));
        };
        drop(d);
        put(to, found as c_int)
    }

    fn cuDevicePrimaryCtxRetain(to: *mut Handle, number: c_int) { put(to, context_of(numbered(number)?) as Handle) }

    fn cuDevicePrimaryCtxRelease_v2(number: c_int) { numbered(number).map(|_| ()) }

    fn cuDevicePrimaryCtxSetFlags_v2(number: c_int, _flags: u32) { numbered(number).map(|_| ()) }

    fn cuDevicePrimaryCtxGetState(number: c_int, flags: *mut u32, active: *mut c_int) {
        numbered(number)?;
        put(flags, 0)?;
        put(active, 1)
    }

    fn cuCtxSetCurrent(context: Handle) { set_current(context as usize) }

    fn cuCtxGetCurrent(to: *mut Handle) { put(to, current() as Handle) }

    fn cuCtxPushCurrent_v2(context: Handle) { set_current(context as usize) }

    fn cuCtxPopCurrent_v2(to: *mut Handle) {
        if !to.is_null() {
            put(to, current() as Handle)?;
        }
        set_current(0)
    }

    fn cuCtxGetDevice(to: *mut c_int) { put(to, device()? as c_int) }

    fn cuCtxGetApiVersion(_context: Handle, to: *mut u32) { put(to, 3020) }

    fn cuCtxGetStreamPriorityRange(least: *mut c_int, greatest: *mut c_int) {
        device()?;
        put(least, 0)?;
        put(greatest, -5)
    }

    fn cuCtxSynchronize() {
        let mut d = ready()?;
        d.not_in_capture("cuCtxSynchronize")?;
        d.count.synchronizations += 1;
        drop(d);
        finish_all()
    }

    fn cuGetErrorString(number: u32, to: *mut *const c_char) {
        match code::described(number) {
            Some((_, text)) => put(to, text.as_ptr()),
            None => put(to, std::ptr::null()).and(Err(code::INVALID_VALUE)),
        }
    }

    fn cuGetErrorName(number: u32, to: *mut *const c_char) {
        match code::described(number) {
            Some((name, _)) => put(to, name.as_ptr()),
            None => put(to, std::ptr::null()).and(Err(code::INVALID_VALUE)),
        }
    }
}
