//! Memory of a GPU. It is allocated, used and freed in the order of the GPU's stream, so a buffer may be dropped while kernels that use it are
//! queued.

use std::fmt;
use std::panic::{RefUnwindSafe, UnwindSafe};
use std::sync::Arc;

use cust::sys;

use super::arena::{self, Arena};
use super::dropped;
use super::error::{Failed, check};
use super::gpu::Gpu;
use super::uploads::Arrival;

/// Some bytes in a GPU's memory. An empty buffer has no memory.
pub struct Buffer {
    gpu: &'static Gpu,
    address: u64,
    bytes: usize,
    /// The arena that the memory is a part of.
    arena: Option<Arc<Arena>>,
}

impl Buffer {
    /// Memory without a value. While the thread records a program, it comes from the program's arena.
    ///
    /// # Errors
    /// If the GPU has too little memory.
    pub fn new(gpu: &'static Gpu, bytes: usize) -> Result<Buffer, Failed> {
        Buffer::taken(gpu, bytes, Arena::take)
    }

    /// Memory that the host may write before each launch of the program that the thread records: nothing that the program does before has used it.
    ///
    /// # Errors
    /// If the GPU has too little memory.
    pub fn for_host(gpu: &'static Gpu, bytes: usize) -> Result<Buffer, Failed> {
        Buffer::taken(gpu, bytes, Arena::take_unused)
    }

    fn taken(
        gpu: &'static Gpu,
        bytes: usize,
        take: impl Fn(&Arena, usize) -> Option<u64>,
    ) -> Result<Buffer, Failed> {
        let arena = arena::current().and_then(|recording| recording.arena);
        let Some(arena) = arena.filter(|_| bytes > 0) else {
            return Buffer::of_pool(gpu, bytes);
        };
        let out_of_memory = Failed::new("an arena", 2);
        Ok(Buffer {
            gpu,
            address: take(&arena, bytes).ok_or(out_of_memory)?,
            bytes,
            arena: Some(arena),
        })
    }

    fn of_pool(gpu: &'static Gpu, bytes: usize) -> Result<Buffer, Failed> {
        let mut address = 0;
        if bytes > 0 {
            let stream = gpu.enter()?.main_stream();
            // SAFETY: the address is an output.
            let code = unsafe { sys::cuMemAllocAsync(&mut address, bytes, stream) };
            check("cuMemAllocAsync", code)?;
            arena::count(bytes as isize);
        }
        Ok(Buffer {
            gpu,
            address,
            bytes,
            arena: None,
        })
    }

    /// Memory with a copy of some bytes.
    ///
    /// # Errors
    /// If the GPU has too little memory.
    pub fn of_bytes(gpu: &'static Gpu, bytes: &[u8]) -> Result<Buffer, Failed> {
        // What is queued from now on waits for the bytes.
        Buffer::of_bytes_ahead(gpu, bytes).map(|(buffer, _)| buffer)
    }

    /// As [`of_bytes`](Self::of_bytes), but work waits for the bytes only when the other result is dropped, which must be before the buffer is used.
    ///
    /// # Errors
    /// As [`of_bytes`](Self::of_bytes).
    pub fn of_bytes_ahead(
        gpu: &'static Gpu,
        bytes: &[u8],
    ) -> Result<(Buffer, Option<Arrival>), Failed> {
        if !arena::is_recording()
            && let Some((address, arrival)) = gpu.enter()?.uploads().upload(gpu, bytes)?
        {
            arena::count(bytes.len() as isize);
            let buffer = Buffer {
                gpu,
                address,
                bytes: bytes.len(),
                arena: None,
            };
            return Ok((buffer, Some(arrival)));
        }
        let buffer = Buffer::new(gpu, bytes.len())?;
        buffer.write(bytes)?;
        Ok((buffer, None))
    }

    /// The GPU whose memory it is.
    pub fn gpu(&self) -> &'static Gpu {
        self.gpu
    }

    /// Whether the memory is a part of an arena.
    pub fn is_of_arena(&self) -> bool {
        self.arena.is_some()
    }

    /// The address, as kernels take it.
    pub fn address(&self) -> u64 {
        self.address
    }

    /// The size in bytes.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// Queues a copy of bytes of the host to the beginning of the buffer.
    ///
    /// # Errors
    /// If the driver refuses.
    ///
    /// # Panics
    /// If there are more bytes than the buffer has.
    pub fn write(&self, bytes: &[u8]) -> Result<(), Failed> {
        assert!(
            bytes.len() <= self.bytes,
            "a copy beyond the end of a buffer"
        );
        if bytes.is_empty() {
            return Ok(());
        }
        if arena::only_records() {
            // The bytes of the host would be read again at each launch.
            return Err(Failed::new("a copy while a program is recorded", 900));
        }
        let stream = self.gpu.enter()?.main_stream();
        // SAFETY: the buffer is large enough. The driver copies memory that isn't pinned before it returns.
        let code = unsafe {
            sys::cuMemcpyHtoDAsync_v2(self.address, bytes.as_ptr().cast(), bytes.len(), stream)
        };
        check("cuMemcpyHtoDAsync", code)
    }

    /// Copies the beginning of the buffer to the host, after all queued work.
    ///
    /// # Errors
    /// If the driver refuses, or if queued work failed.
    ///
    /// # Panics
    /// If the buffer has fewer bytes.
    pub fn read(&self, bytes: &mut [u8]) -> Result<(), Failed> {
        assert!(
            bytes.len() <= self.bytes,
            "a copy beyond the end of a buffer"
        );
        if bytes.is_empty() {
            return Ok(());
        }
        let stream = self.gpu.enter()?.main_stream();
        // SAFETY: the buffer has as many bytes; the copy is awaited below.
        let code = unsafe {
            sys::cuMemcpyDtoHAsync_v2(bytes.as_mut_ptr().cast(), self.address, bytes.len(), stream)
        };
        check("cuMemcpyDtoHAsync", code)?;
        self.gpu.wait()
    }

    /// Queues a copy of another buffer of the same GPU and size.
    ///
    /// # Errors
    /// If the driver refuses.
    ///
    /// # Panics
    /// If the sizes differ.
    pub fn copy_from(&self, other: &Buffer) -> Result<(), Failed> {
        assert_eq!(
            self.bytes, other.bytes,
            "a copy of a buffer of another size"
        );
        if self.bytes == 0 {
            return Ok(());
        }
        let stream = self.gpu.enter()?.stream().as_inner();
        // SAFETY: both buffers have as many bytes.
        let code =
            unsafe { sys::cuMemcpyDtoDAsync_v2(self.address, other.address, self.bytes, stream) };
        check("cuMemcpyDtoDAsync", code)
    }

    /// The buffer with its memory, which this one has no longer.
    fn moved(&mut self) -> Buffer {
        Buffer {
            gpu: self.gpu,
            address: std::mem::take(&mut self.address),
            bytes: std::mem::take(&mut self.bytes),
            arena: self.arena.take(),
        }
    }
}

impl Drop for Buffer {
    fn drop(&mut self) {
        if self.address == 0 || dropped::keeps(|| self.moved()) {
            return;
        }
        if let Some(arena) = &self.arena {
            return arena.give(self.address, self.bytes);
        }
        arena::count(-(self.bytes as isize));
        let Ok(open) = self.gpu.enter() else { return };
        // SAFETY: the address came from the same pool, and is freed once. A failure leaves the memory to the process's end.
        let code = unsafe { sys::cuMemFreeAsync(self.address, open.main_stream()) };
        if let Err(failed) = check("cuMemFreeAsync", code) {
            log::warn!("memory of {} wasn't freed: {failed}", self.gpu.name);
        }
    }
}

impl UnwindSafe for Buffer {}
impl RefUnwindSafe for Buffer {}

impl fmt::Debug for Buffer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} bytes of {}", self.bytes, self.gpu.name)
    }
}
