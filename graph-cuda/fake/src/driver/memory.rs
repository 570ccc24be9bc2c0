//! Allocations, copies and fills.

use super::{Answer, Driver, Injected, code};
use crate::exec::Memory;
use crate::exec::memory::Allocation;

/// A copy, as a call asks for it: addresses on the host or of device memory.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Copy {
    pub to: u64,
    pub from: u64,
    pub bytes: usize,
}

/// A fill of device memory with copies of a pattern of 1, 2 or 4 bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fill {
    pub at: u64,
    pub pattern: u32,
    pub size: usize,
    pub count: usize,
}

impl Driver {
    /// New memory, poisoned.
    pub(crate) fn allocate(&mut self, device: usize, bytes: usize) -> Answer<u64> {
        if bytes == 0 {
            return self.refuse(code::INVALID_VALUE, "an allocation of no bytes");
        }
        if let Some(code) = Injected::due(&mut self.settings.fail_allocation) {
            return self.refuse(code, "this allocation fails because a test asked for it");
        }
        if bytes as u64 > self.free_bytes(device) {
            return self.refuse(
                code::OUT_OF_MEMORY,
                format!(
                    "{bytes} bytes are asked for, {} are free",
                    self.free_bytes(device)
                ),
            );
        }
        let at = self.memory.insert(Allocation {
            bytes: vec![0xFF; bytes],
            device,
            constant: false,
        });
        self.count.allocations += 1;
        self.count.live_allocations += 1;
        self.count.live_bytes += bytes as u64;
        self.count.peak_bytes = self.count.peak_bytes.max(self.count.live_bytes);
        Ok(at)
    }

    pub(crate) fn free(&mut self, at: u64) -> Answer {
        match self.memory.remove(at) {
            Some(found) => {
                self.count.live_allocations -= 1;
                self.count.live_bytes -= found.bytes.len() as u64;
                Ok(())
            }
            None if at == 0 => Ok(()),
            None => self.refuse(
                code::INVALID_VALUE,
                format!("{at:#x} isn't the address of an allocation"),
            ),
        }
    }

    pub(crate) fn free_bytes(&self, device: usize) -> u64 {
        self.settings
            .memory
            .saturating_sub(self.memory.used(device))
    }

    /// Copies, and counts by direction.
    pub(crate) fn copy(&mut self, c: Copy) -> Answer {
        if c.bytes == 0 {
            return Ok(());
        }
        let n = c.bytes as u64;
        let counted = match (Memory::is_device(c.to), Memory::is_device(c.from)) {
            (true, false) => [&mut self.count.uploads, &mut self.count.upload_bytes],
            (false, true) => [&mut self.count.downloads, &mut self.count.download_bytes],
            (true, true) => [
                &mut self.count.device_copies,
                &mut self.count.device_copy_bytes,
            ],
            (false, false) => {
                return self.refuse(code::INVALID_VALUE, "a copy from the host to the host");
            }
        };
        let [times, bytes] = counted;
        *times += 1;
        *bytes += n;
        let source = self.source(c)?;
        if Memory::is_device(c.to) {
            match self.memory.bytes_mut(c.to, c.bytes) {
                Ok(to) => to.copy_from_slice(&source),
                Err(fault) => {
                    return self
                        .refuse(code::INVALID_VALUE, format!("a copy to {}", fault.message));
                }
            }
        } else {
            // SAFETY: the caller of the driver promises that the host has this memory.
            unsafe { std::ptr::copy_nonoverlapping(source.as_ptr(), c.to as *mut u8, c.bytes) };
        }
        Ok(())
    }

    /// The bytes that are copied.
    pub(crate) fn source(&mut self, c: Copy) -> Answer<Vec<u8>> {
        if Memory::is_device(c.from) {
            return match self.memory.bytes(c.from, c.bytes) {
                Ok(from) => Ok(from.to_vec()),
                Err(fault) => self.refuse(
                    code::INVALID_VALUE,
                    format!("a copy from {}", fault.message),
                ),
            };
        }
        if c.from == 0 {
            return self.refuse(code::INVALID_VALUE, "a copy from a null pointer");
        }
        // SAFETY: the caller of the driver promises that the host has this memory.
        Ok(unsafe { std::slice::from_raw_parts(c.from as *const u8, c.bytes) }.to_vec())
    }

    pub(crate) fn fill(&mut self, f: Fill) -> Answer {
        if f.count == 0 {
            return Ok(());
        }
        if !f.at.is_multiple_of(f.size as u64) {
            return self.refuse(
                code::INVALID_VALUE,
                format!("a fill of a misaligned address {:#x}", f.at),
            );
        }
        self.count.fills += 1;
        match self.memory.bytes_mut(f.at, f.size * f.count) {
            Ok(to) => {
                let pattern = f.pattern.to_le_bytes();
                to.chunks_exact_mut(f.size)
                    .for_each(|part| part.copy_from_slice(&pattern[..f.size]));
                Ok(())
            }
            Err(fault) => self.refuse(code::INVALID_VALUE, format!("a fill of {}", fault.message)),
        }
    }
}
