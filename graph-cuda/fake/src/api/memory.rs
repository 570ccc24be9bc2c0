//! Allocations, pools, copies and fills.

use super::{Handle, api, put};
use crate::driver::graph::Node;
use crate::driver::memory::{Copy, Fill};
use crate::driver::queue;
use crate::driver::stream::LEGACY;
use crate::driver::{Answer, Driver, code, device, driver, ready};
use crate::exec::Memory;
use std::alloc::{Layout, alloc, dealloc};
use std::ffi::c_int;
use std::sync::MutexGuard;

/// Handles of pools: this number plus the device's.
const POOL: usize = 0x800;
/// The alignment of page-locked memory.
const PAGE: usize = 4096;

/// Work for a stream.
pub(super) fn submit(stream: Handle, node: Node) -> Answer {
    queue::submit(stream as usize, node)
}

/// The driver for work without a stream, after the work of all blocking streams.
fn without_stream(what: &str) -> Answer<MutexGuard<'static, Driver>> {
    let mut d = ready()?;
    d.implicit()?;
    d.not_in_capture(what)?;
    drop(d);
    queue::finish_before(LEGACY);
    ready()
}

/// A copy that the caller waits for.
fn copy_now(to: u64, from: u64, bytes: usize) -> Answer {
    let mut d = without_stream("a copy without a stream")?;
    d.count.synchronizations += 1;
    d.copy(Copy { to, from, bytes })
}

fn copy(to: u64, from: u64, bytes: usize, stream: Handle) -> Answer {
    submit(stream, Node::Copy(Copy { to, from, bytes }))
}

/// Whether each address is on the side on which the function's name says that it is.
fn sides(d: &mut Driver, device: &[u64], host: &[u64]) -> Answer {
    if device.iter().all(|&at| Memory::is_device(at))
        && !host.iter().any(|&at| Memory::is_device(at))
    {
        return Ok(());
    }
    d.refuse(
        code::INVALID_VALUE,
        "a copy with a host address where a device address is needed, or the other way round",
    )
}

fn fill(at: u64, pattern: u32, size: usize, count: usize, stream: Handle) -> Answer {
    submit(
        stream,
        Node::Fill(Fill {
            at,
            pattern,
            size,
            count,
        }),
    )
}

fn fill_now(at: u64, pattern: u32, size: usize, count: usize) -> Answer {
    without_stream("a fill without a stream")?.fill(Fill {
        at,
        pattern,
        size,
        count,
    })
}

/// Whether the stream may allocate: allocation nodes of graphs aren't emulated.
fn allocating(stream: Handle) -> Answer<MutexGuard<'static, Driver>> {
    let mut d = ready()?;
    if d.stream(stream as usize)?.capture.is_some() {
        return d.refuse(
            code::NOT_SUPPORTED,
            "allocation nodes of graphs aren't emulated",
        );
    }
    Ok(d)
}

fn pool_device(pool: Handle) -> Answer<usize> {
    let mut d = driver();
    match (pool as usize)
        .checked_sub(POOL)
        .filter(|n| *n < d.settings.devices)
    {
        Some(n) => Ok(n),
        None => d.refuse(code::INVALID_VALUE, "not a pool"),
    }
}

/// Page-locked memory of the host.
unsafe fn allocate_host(to: *mut Handle, bytes: usize) -> Answer {
    let mut d = ready()?;
    d.not_in_capture("an allocation of page-locked memory")?;
    let Some(layout) = Layout::from_size_align(bytes, PAGE)
        .ok()
        .filter(|_| bytes > 0)
    else {
        return d.refuse(code::INVALID_VALUE, "an allocation of no bytes");
    };
    // SAFETY: the size isn't zero.
    let at = unsafe { alloc(layout) };
    if at.is_null() {
        return d.refuse(code::OUT_OF_MEMORY, "the host has no memory left");
    }
    // SAFETY: it was just allocated with this size.
    unsafe { at.write_bytes(0xFF, bytes) };
    d.memory.insert_host(at as u64, bytes);
    drop(d);
    // SAFETY: the caller's pointer for the result.
    unsafe { put(to, at.cast()) }
}

api! {
    fn cuMemAlloc_v2(to: *mut u64, bytes: usize) {
        let mut d = ready()?;
        d.not_in_capture("cuMemAlloc")?;
        let at = d.allocate(device()?, bytes)?;
        drop(d);
        put(to, at)
    }

    fn cuMemFree_v2(at: u64) {
        let mut d = ready()?;
        d.not_in_capture("cuMemFree")?;
        drop(d);
        queue::finish_all()?;
        driver().free(at)
    }

    fn cuMemAllocAsync(to: *mut u64, bytes: usize, stream: Handle) {
        let at = allocating(stream)?.allocate(device()?, bytes)?;
        put(to, at)
    }

    fn cuMemAllocFromPoolAsync(to: *mut u64, bytes: usize, pool: Handle, stream: Handle) {
        let device = pool_device(pool)?;
        let at = allocating(stream)?.allocate(device, bytes)?;
        put(to, at)
    }

    fn cuMemFreeAsync(at: u64, stream: Handle) {
        drop(allocating(stream)?);
        queue::submit_free(stream as usize, at)
    }

    fn cuMemAllocHost_v2(to: *mut Handle, bytes: usize) { allocate_host(to, bytes) }

    fn cuMemHostAlloc(to: *mut Handle, bytes: usize, _flags: u32) { allocate_host(to, bytes) }

    fn cuMemHostGetDevicePointer_v2(to: *mut u64, at: Handle, _flags: u32) {
        if driver().memory.bytes(at as u64, 1).is_err() {
            return driver().refuse(code::INVALID_VALUE, "the memory isn't page-locked");
        }
        put(to, at as u64)
    }

    fn cuMemFreeHost(at: Handle) {
        let mut d = ready()?;
        d.not_in_capture("cuMemFreeHost")?;
        let Some(bytes) = d.memory.remove_host(at as u64) else { return d.refuse(code::INVALID_VALUE, "not page-locked memory") };
        // SAFETY: `allocate_host` made it with this size and alignment.
        dealloc(at.cast(), Layout::from_size_align_unchecked(bytes, PAGE));
        Ok(())
    }

    fn cuMemGetInfo_v2(free: *mut usize, total: *mut usize) {
        let d = ready()?;
        let (left, all) = (d.free_bytes(device()?), d.settings.memory);
        drop(d);
        put(free, left as usize)?;
        put(total, all as usize)
    }

    fn cuMemGetAddressRange_v2(start: *mut u64, size: *mut usize, at: u64) {
        let mut d = ready()?;
        let Some((from, found)) = d.memory.find(at) else { return d.refuse(code::NOT_FOUND, "not an allocation") };
        let bytes = found.bytes.len();
        drop(d);
        put(start, from)?;
        put(size, bytes)
    }

    fn cuDeviceGetDefaultMemPool(to: *mut Handle, number: c_int) { put(to, (number as usize + POOL) as Handle) }

    fn cuDeviceGetMemPool(to: *mut Handle, number: c_int) { put(to, (number as usize + POOL) as Handle) }

    fn cuMemPoolSetAttribute(pool: Handle, _attribute: u32, _value: Handle) { pool_device(pool).map(|_| ()) }

    fn cuMemPoolGetAttribute(pool: Handle, attribute: u32, value: *mut u64) {
        let device = pool_device(pool)?;
        let used = driver().memory.used(device);
        // Reserved and used memory, now and at most; others are settings.
        put(value, if (5..=8).contains(&attribute) { used } else { 0 })
    }

    fn cuMemPoolTrimTo(pool: Handle, _keep: usize) { pool_device(pool).map(|_| ()) }

    fn cuMemcpyHtoD_v2(to: u64, from: Handle, bytes: usize) {
        sides(&mut *ready()?, &[to], &[from as u64])?;
        copy_now(to, from as u64, bytes)
    }

    fn cuMemcpyDtoH_v2(to: Handle, from: u64, bytes: usize) {
        sides(&mut *ready()?, &[from], &[to as u64])?;
        copy_now(to as u64, from, bytes)
    }

    fn cuMemcpyDtoD_v2(to: u64, from: u64, bytes: usize) {
        sides(&mut *ready()?, &[to, from], &[])?;
        copy_now(to, from, bytes)
    }

    fn cuMemcpy(to: u64, from: u64, bytes: usize) { copy_now(to, from, bytes) }

    fn cuMemcpyHtoDAsync_v2(to: u64, from: Handle, bytes: usize, stream: Handle) {
        sides(&mut *ready()?, &[to], &[from as u64])?;
        copy(to, from as u64, bytes, stream)
    }

    fn cuMemcpyDtoHAsync_v2(to: Handle, from: u64, bytes: usize, stream: Handle) {
        sides(&mut *ready()?, &[from], &[to as u64])?;
        copy(to as u64, from, bytes, stream)
    }

    fn cuMemcpyDtoDAsync_v2(to: u64, from: u64, bytes: usize, stream: Handle) {
        sides(&mut *ready()?, &[to, from], &[])?;
        copy(to, from, bytes, stream)
    }

    fn cuMemcpyAsync(to: u64, from: u64, bytes: usize, stream: Handle) { copy(to, from, bytes, stream) }

    fn cuMemsetD8_v2(at: u64, pattern: u8, count: usize) { fill_now(at, u32::from(pattern), 1, count) }

    fn cuMemsetD16_v2(at: u64, pattern: u16, count: usize) { fill_now(at, u32::from(pattern), 2, count) }

    fn cuMemsetD32_v2(at: u64, pattern: u32, count: usize) { fill_now(at, pattern, 4, count) }

    fn cuMemsetD8Async(at: u64, pattern: u8, count: usize, stream: Handle) { fill(at, u32::from(pattern), 1, count, stream) }

    fn cuMemsetD16Async(at: u64, pattern: u16, count: usize, stream: Handle) { fill(at, u32::from(pattern), 2, count, stream) }

    fn cuMemsetD32Async(at: u64, pattern: u32, count: usize, stream: Handle) { fill(at, pattern, 4, count, stream) }
}
