//! One GPU: its properties, its context, and the stream on which all its work is queued in order.

use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use cust::context::{Context, CurrentContext};
use cust::device::{Device, DeviceAttribute};
use cust::error::CudaError;
use cust::stream::{Stream, StreamFlags};
use cust::sys;

use super::arena;
use super::error::{Call, Failed, Unavailable, check};
use super::uploads::Uploads;

/// A GPU. Its work is done in the order in which it is queued, whatever thread queues it.
pub struct Gpu {
    /// The device's name for programs, such as `cuda:0`.
    pub name: String,
    /// The product's name.
    pub product: String,
    /// The major and minor number of the compute capability.
    pub capability: (u32, u32),
    /// The number of multiprocessors.
    pub multiprocessors: u32,
    /// The size of the memory in bytes.
    pub memory: u64,
    device: Device,
    /// Its context and streams, from its first use on. A context takes memory of the GPU, so looking at a GPU makes none.
    open: OnceLock<Open>,
    opening: Mutex<()>,
}

/// What a GPU that is used has.
pub(super) struct Open {
    context: Context,
    stream: Stream,
    /// Where work is recorded, so that other threads' work isn't: a stream for each level of conditional nodes.
    recorder: Mutex<()>,
    recording: Vec<Stream>,
    uploads: Uploads,
}

/// How deep conditional nodes may be nested in recorded work.
pub const LEVELS: usize = 8;

/// The GPUs that have been found. They exist until the process ends.
static FOUND: Mutex<Vec<(u32, &'static Gpu)>> = Mutex::new(Vec::new());

/// The number of GPUs.
///
/// # Errors
/// If there is no driver, or if it sees no GPU.
pub fn count() -> Result<u32, Unavailable> {
    graph_cuda_shim::load().map_err(Unavailable::NoDriver)?;
    match cust::init(cust::CudaFlags::empty()) {
        Err(CudaError::NoDevice) => return Err(Unavailable::NoDevice),
        other => other.call("cuInit")?,
    }
    match Device::num_devices().call("cuDeviceGetCount")? {
        0 => Err(Unavailable::NoDevice),
        count => Ok(count),
    }
}

impl Gpu {
    /// Finds a GPU, without a context for it.
    ///
    /// # Errors
    /// If there is no such GPU.
    pub fn find(number: u32) -> Result<&'static Gpu, Unavailable> {
        let count = count()?;
        if number >= count {
            return Err(Unavailable::NoSuchDevice { number, count });
        }
        let mut found = FOUND.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, gpu)) = found.iter().find(|(known, _)| *known == number) {
            return Ok(gpu);
        }
        let gpu: &'static Gpu = Box::leak(Box::new(Gpu::new(number)?));
        found.push((number, gpu));
        Ok(gpu)
    }

    fn new(number: u32) -> Result<Gpu, Failed> {
        let device = Device::get_device(number).call("cuDeviceGet")?;
        let attribute = |attribute| {
            let value = device.get_attribute(attribute);
            value.call("cuDeviceGetAttribute").map(|value| value as u32)
        };
        Ok(Gpu {
            name: format!("cuda:{number}"),
            product: device.name().call("cuDeviceGetName")?,
            capability: (
                attribute(DeviceAttribute::ComputeCapabilityMajor)?,
                attribute(DeviceAttribute::ComputeCapabilityMinor)?,
            ),
            multiprocessors: attribute(DeviceAttribute::MultiprocessorCount)?,
            memory: device.total_memory().call("cuDeviceTotalMem")? as u64,
            device,
            open: OnceLock::new(),
            opening: Mutex::new(()),
        })
    }

    /// Opens the GPU, unless it is open.
    ///
    /// # Errors
    /// If the driver refuses.
    pub fn open(&self) -> Result<(), Failed> {
        self.enter().map(|_| ())
    }

    /// Makes the GPU's context the current one of this thread, which each call of the driver needs. Opens the GPU at first.
    ///
    /// # Errors
    /// If the driver refuses.
    pub(super) fn enter(&self) -> Result<&Open, Failed> {
        let open = match self.open.get() {
            Some(open) => open,
            None => {
                // One thread opens it, and the others wait.
                let _opening = self.opening.lock().unwrap_or_else(PoisonError::into_inner);
                match self.open.get() {
                    Some(open) => open,
                    None => {
                        let open = Open::new(self.device)?;
                        self.open.get_or_init(|| open)
                    }
                }
            }
        };
        CurrentContext::set_current(&open.context).call("cuCtxSetCurrent")?;
        Ok(open)
    }

    /// Waits until all queued work is done.
    ///
    /// # Errors
    /// If some of it failed.
    pub fn wait(&self) -> Result<(), Failed> {
        self.enter()?
            .stream
            .synchronize()
            .call("cuStreamSynchronize")
    }
}

impl Open {
    fn new(device: Device) -> Result<Open, Failed> {
        let context = Context::new(device).call("cuDevicePrimaryCtxRetain")?;
        let stream = || Stream::new(StreamFlags::DEFAULT, None).call("cuStreamCreate");
        keep_freed_memory(device)?;
        Ok(Open {
            context,
            stream: stream()?,
            recorder: Mutex::new(()),
            recording: (0..LEVELS).map(|_| stream()).collect::<Result<_, _>>()?,
            uploads: Uploads::new()?,
        })
    }

    /// The stream of this thread's kernels and copies.
    pub(super) fn stream(&self) -> &Stream {
        match arena::only_records() {
            true => &self.recording[arena::depth().min(LEVELS - 1)],
            false => &self.stream,
        }
    }

    /// The stream on which memory is allocated and freed, and recorded work is launched.
    pub(super) fn main_stream(&self) -> sys::CUstream {
        self.stream.as_inner()
    }

    /// The same stream, as `cust` has it.
    pub(super) fn queue(&self) -> &Stream {
        &self.stream
    }

    /// The uploads beside the work of the main stream.
    pub(super) fn uploads(&self) -> &Uploads {
        &self.uploads
    }

    /// The stream on which work is recorded, and the right to do so.
    pub(super) fn recorder(&self) -> (MutexGuard<'_, ()>, sys::CUstream) {
        let guard = self.recorder.lock().unwrap_or_else(PoisonError::into_inner);
        (guard, self.recording[0].as_inner())
    }

    pub(super) fn context(&self) -> sys::CUcontext {
        self.context.as_raw()
    }
}

/// The driver keeps memory that was freed for the next allocation, and doesn't return it to the system each time somebody waits. Memory that queued work
/// still uses isn't given to another stream, because an upload to it would wait for that work.
fn keep_freed_memory(device: Device) -> Result<(), Failed> {
    let mut pool = std::ptr::null_mut();
    let (mut most, mut waits) = (u64::MAX, 0i32);
    // SAFETY: the pool is an output, and `most` and `waits` are of the types that the attributes have.
    unsafe {
        check(
            "cuDeviceGetDefaultMemPool",
            sys::cuDeviceGetDefaultMemPool(&mut pool, device.as_raw()),
        )?;
        check(
            "cuMemPoolSetAttribute",
            sys::cuMemPoolSetAttribute(
                pool,
                sys::CUmemPool_attribute_enum::CU_MEMPOOL_ATTR_RELEASE_THRESHOLD,
                std::ptr::from_mut(&mut most).cast(),
            ),
        )?;
        check(
            "cuMemPoolSetAttribute",
            sys::cuMemPoolSetAttribute(
                pool,
                sys::CUmemPool_attribute_enum::CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES,
                std::ptr::from_mut(&mut waits).cast(),
            ),
        )
    }
}
