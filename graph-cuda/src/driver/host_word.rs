//! A word of the host's memory that kernels write. It is page-locked, so the GPU reaches it by the same address, and the host reads it without a copy.

use std::sync::atomic::{AtomicU32, Ordering};

use cust::sys;

use super::error::{Failed, check};
use super::gpu::Gpu;

/// A word that kernels set.
pub struct HostWord {
    gpu: &'static Gpu,
    at: *mut u32,
}

// SAFETY: the memory belongs to no thread, and is read and written atomically.
unsafe impl Send for HostWord {}
// SAFETY: as above.
unsafe impl Sync for HostWord {}

impl HostWord {
    /// A word that isn't set.
    ///
    /// # Errors
    /// If the host has no page-locked memory left.
    pub fn new(gpu: &'static Gpu) -> Result<HostWord, Failed> {
        gpu.enter()?;
        let mut at = std::ptr::null_mut();
        // SAFETY: the address is an output.
        let code = unsafe { sys::cuMemAllocHost_v2(&mut at, size_of::<u32>()) };
        check("cuMemAllocHost", code)?;
        let word = HostWord { gpu, at: at.cast() };
        word.clear();
        Ok(word)
    }

    /// The GPU whose kernels write it.
    pub fn gpu(&self) -> &'static Gpu {
        self.gpu
    }

    /// The address, as kernels take it.
    pub fn address(&self) -> u64 {
        self.at.addr() as u64
    }

    /// Whether it is set. Whoever asks has waited for the kernels.
    pub fn is_set(&self) -> bool {
        self.word().load(Ordering::Acquire) != 0
    }

    /// Sets it, as a kernel does.
    pub fn set(&self) {
        self.word().store(1, Ordering::Release);
    }

    /// Makes it a word that isn't set.
    pub fn clear(&self) {
        self.word().store(0, Ordering::Release);
    }

    fn word(&self) -> &AtomicU32 {
        // SAFETY: the memory is aligned to pages and lives as long as this, and only atomic accesses and kernels change it.
        unsafe { AtomicU32::from_ptr(self.at) }
    }
}

impl Drop for HostWord {
    fn drop(&mut self) {
        // Kernels that are queued may still write it.
        if self.gpu.wait().is_err() {
            return;
        }
        // SAFETY: the address came from `cuMemAllocHost`, and is freed once. A failure leaves the memory to the process's end.
        let _ = unsafe { sys::cuMemFreeHost(self.at.cast()) };
    }
}
