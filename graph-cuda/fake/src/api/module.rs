//! Modules, kernels and their launches.

use super::context::MOST_SHARED;
use super::memory::submit;
use super::{Handle, api, put, put_text};
use crate::driver::graph::Node;
use crate::driver::queue::finish_all;
use crate::driver::{Answer, Driver, code, device, driver, ready};
use std::ffi::{CStr, c_char, c_int};

/// Options of `cuModuleLoadDataEx`: where messages go, and how much room is there.
const INFO_LOG: u32 = 3;
const ERROR_LOG: u32 = 5;

/// Loads PTX text; the message of a failure goes into the caller's log.
unsafe fn load(
    to: *mut Handle,
    image: *const c_char,
    options: &[u32],
    values: *const Handle,
) -> Answer {
    let mut d = ready()?;
    d.not_in_capture("loading a module")?;
    if image.is_null() {
        return d.refuse(code::INVALID_VALUE, "a null pointer for a module");
    }
    // SAFETY: the caller passes a C text.
    let text = unsafe { CStr::from_ptr(image) }.to_string_lossy();
    let loaded = d.load(device()?, &text);
    let message = if loaded.is_ok() {
        String::new()
    } else {
        d.last_error.clone()
    };
    drop(d);
    for (i, option) in options.iter().enumerate() {
        if !matches!(*option, INFO_LOG | ERROR_LOG) {
            continue;
        }
        let text = if *option == ERROR_LOG {
            message.as_str()
        } else {
            ""
        };
        let size = options.iter().position(|o| *o == option + 1);
        // SAFETY: there is a value for each option. The size is in the option after the buffer's.
        unsafe {
            put_text(
                (*values.add(i)).cast(),
                size.map_or(0, |s| *values.add(s) as usize),
                text,
            )
        };
    }
    // SAFETY: the caller's pointer for the result.
    unsafe { put(to, loaded? as Handle) }
}

/// The arguments of a launch, copied to where the kernel's parameters are.
unsafe fn arguments(f: &crate::code::Function, from: *mut Handle) -> Answer<Vec<u8>> {
    let end = f
        .parameters
        .iter()
        .map(|p| p.offset + p.bytes)
        .max()
        .unwrap_or(0);
    let mut bytes = vec![0; end as usize];
    for (i, p) in f.parameters.iter().enumerate() {
        if from.is_null() {
            return Err(code::INVALID_VALUE);
        }
        // SAFETY: the caller passes a pointer to each argument, of the size that the kernel declares.
        unsafe {
            let argument = *from.add(i);
            if argument.is_null() {
                return Err(code::INVALID_VALUE);
            }
            std::ptr::copy_nonoverlapping(
                argument.cast(),
                bytes.as_mut_ptr().add(p.offset as usize),
                p.bytes as usize,
            );
        }
    }
    Ok(bytes)
}

/// The value of a function attribute by its number in `CUfunction_attribute`.
fn attribute(d: &Driver, function: usize, number: u32) -> Answer<u32> {
    let handle = d.functions.get(&function).ok_or(code::INVALID_HANDLE)?;
    let module = d.modules.get(&handle.module).ok_or(code::INVALID_HANDLE)?;
    let f = &module.program.functions[handle.function];
    let (major, minor) = d.settings.capability;
    Ok(match number {
        0 => f.most_threads.unwrap_or(1024).min(1024),
        1 => f.shared_bytes,
        2 | 7 => 0,
        3 => f.local_bytes,
        // Nobody assigns real registers here.
        4 => 32,
        5 => module.program.version,
        6 => major * 10 + minor,
        8 => handle.dynamic_shared,
        9 => u32::MAX,
        _ => return Err(code::INVALID_VALUE),
    })
}

api! {
    fn cuModuleLoadData(to: *mut Handle, image: *const c_char) { load(to, image, &[], std::ptr::null()) }

    fn cuModuleLoadDataEx(to: *mut Handle, image: *const c_char, count: u32, options: *const u32, values: *const Handle) {
        let options = if count == 0 { &[] } else { std::slice::from_raw_parts(options, count as usize) };
        load(to, image, options, values)
    }

    fn cuModuleUnload(module: Handle) {
        let mut d = ready()?;
        d.not_in_capture("cuModuleUnload")?;
        drop(d);
        finish_all()?;
        driver().unload(module as usize)
    }

    fn cuModuleGetFunction(to: *mut Handle, module: Handle, name: *const c_char) {
        let name = CStr::from_ptr(name).to_string_lossy();
        let found = ready()?.kernel(module as usize, &name)?;
        put(to, found as Handle)
    }

    fn cuModuleGetGlobal_v2(at: *mut u64, bytes: *mut usize, module: Handle, name: *const c_char) {
        let name = CStr::from_ptr(name).to_string_lossy();
        let (found, size) = ready()?.table(module as usize, &name)?;
        if !bytes.is_null() {
            put(bytes, size)?;
        }
        if at.is_null() { Ok(()) } else { put(at, found) }
    }

    fn cuFuncGetAttribute(to: *mut c_int, number: u32, function: Handle) {
        let found = attribute(&*ready()?, function as usize, number)?;
        put(to, found as c_int)
    }

    fn cuFuncSetAttribute(function: Handle, number: u32, value: c_int) {
        let mut d = ready()?;
        attribute(&d, function as usize, number)?;
        match number {
            8 if (0..=MOST_SHARED as c_int).contains(&value) => {
                if let Some(handle) = d.functions.get_mut(&(function as usize)) {
                    handle.dynamic_shared = value as u32;
                }
                Ok(())
            }
            9 => Ok(()),
            _ => d.refuse(code::INVALID_VALUE, format!("the function attribute {number} can't be {value}")),
        }
    }

    fn cuFuncSetCacheConfig(_function: Handle, _config: u32) { ready().map(|_| ()) }

    fn cuOccupancyMaxActiveBlocksPerMultiprocessor(to: *mut c_int, function: Handle, threads: c_int, shared: usize) {
        let declared = attribute(&*ready()?, function as usize, 1)? as usize;
        let by_threads = 2048 / threads.max(1);
        let by_shared = (MOST_SHARED as usize).checked_div(declared + shared).map_or(32, |n| n as c_int);
        put(to, by_threads.min(by_shared).min(32))
    }

    fn cuLaunchKernel(
        function: Handle, gx: u32, gy: u32, gz: u32, bx: u32, by: u32, bz: u32, shared: u32, stream: Handle, from: *mut Handle, extra: *mut Handle,
    ) {
        let mut d = ready()?;
        if !extra.is_null() {
            return d.refuse(code::NOT_SUPPORTED, "arguments in one buffer aren't emulated");
        }
        let kernel = d.prepare(function as usize, [[gx, gy, gz], [bx, by, bz]], shared, |f| arguments(f, from))?;
        drop(d);
        submit(stream, Node::Kernel(kernel))
    }
}
