//! Global memory: the allocations of all devices, and the host memory that devices may access.

use super::fault::Fault;
use crate::windows::{BASE, FIRST_RANGE, RANGE_BITS};
use std::collections::{BTreeMap, VecDeque};

/// How many ranges are left unused after they were freed before one is used again.
const QUARANTINE: usize = 1 << 16;

/// A live allocation.
#[derive(Debug)]
pub(crate) struct Allocation {
    pub bytes: Vec<u8>,
    pub device: usize,
    /// A table of a module, which kernels don't change.
    pub constant: bool,
}

/// All memory that kernels can reach by an address.
#[derive(Debug, Default)]
pub(crate) struct Memory {
    ranges: Vec<Option<Allocation>>,
    freed: VecDeque<usize>,
    /// The bytes of each device that are in use.
    used: Vec<u64>,
    /// Page-locked host memory: address and size.
    host: BTreeMap<u64, usize>,
}

impl Memory {
    /// The address of new memory with these contents.
    pub(crate) fn insert(&mut self, allocation: Allocation) -> u64 {
        let reused = if self.freed.len() > QUARANTINE {
            self.freed.pop_front()
        } else {
            None
        };
        let range = reused.unwrap_or(self.ranges.len());
        if range == self.ranges.len() {
            self.ranges.push(None);
        }
        self.used
            .resize(self.used.len().max(allocation.device + 1), 0);
        self.used[allocation.device] += allocation.bytes.len() as u64;
        self.ranges[range] = Some(allocation);
        ((range as u64 + FIRST_RANGE) << RANGE_BITS) + BASE
    }

    /// Takes an allocation out, if it begins at `at`.
    pub(crate) fn remove(&mut self, at: u64) -> Option<Allocation> {
        let (range, 0) = place(at)? else { return None };
        let found = self.ranges.get_mut(range)?.take()?;
        self.used[found.device] -= found.bytes.len() as u64;
        self.freed.push_back(range);
        Some(found)
    }

    pub(crate) fn insert_host(&mut self, at: u64, bytes: usize) {
        self.host.insert(at, bytes);
    }

    /// The size of page-locked memory that begins at `at`, which is no longer known after this.
    pub(crate) fn remove_host(&mut self, at: u64) -> Option<usize> {
        self.host.remove(&at)
    }

    /// Whether `at` is an address of a device's memory.
    pub(crate) fn is_device(at: u64) -> bool {
        place(at).is_some()
    }

    /// The start and the allocation to which an address belongs.
    pub(crate) fn find(&self, at: u64) -> Option<(u64, &Allocation)> {
        let (range, offset) = place(at)?;
        let found = self.ranges.get(range)?.as_ref()?;
        (offset < found.bytes.len()).then_some((at - offset as u64, found))
    }

    /// The bytes of a device that are in use, tables included.
    pub(crate) fn used(&self, device: usize) -> u64 {
        self.used.get(device).copied().unwrap_or(0)
    }

    /// The bytes at an aligned address.
    #[inline]
    pub(crate) fn read(&self, at: u64, bytes: usize) -> Result<&[u8], Fault> {
        aligned(at, bytes)?;
        self.bytes(at, bytes)
    }

    /// The bytes at any address.
    #[inline]
    pub(crate) fn bytes(&self, at: u64, bytes: usize) -> Result<&[u8], Fault> {
        if let Some((range, offset)) = place(at)
            && let Some(Some(found)) = self.ranges.get(range)
            && let Some(found) = found
                .bytes
                .get(offset..offset.checked_add(bytes).unwrap_or(0))
        {
            return Ok(found);
        }
        if self.is_host(at, bytes) {
            // SAFETY: the range lies in memory that `cuMemAllocHost` made and that wasn't freed.
            return Ok(unsafe { std::slice::from_raw_parts(at as *const u8, bytes) });
        }
        Err(self.illegal(at, bytes))
    }

    /// The bytes at an aligned address, which a kernel changes.
    #[inline]
    pub(crate) fn write(&mut self, at: u64, bytes: usize) -> Result<&mut [u8], Fault> {
        aligned(at, bytes)?;
        if let Some((range, _)) = place(at)
            && let Some(Some(found)) = self.ranges.get(range)
            && found.constant
        {
            return Err(Fault::illegal(at, bytes, "it is a constant table"));
        }
        self.bytes_mut(at, bytes)
    }

    #[inline]
    pub(crate) fn bytes_mut(&mut self, at: u64, bytes: usize) -> Result<&mut [u8], Fault> {
        if self.bytes(at, bytes).is_err() {
            return Err(self.illegal(at, bytes));
        }
        match place(at) {
            Some((range, offset)) => match &mut self.ranges[range] {
                Some(found) => Ok(&mut found.bytes[offset..offset + bytes]),
                None => Err(Fault::illegal(at, bytes, "it was freed")),
            },
            // SAFETY: as in `bytes`. The program doesn't touch this memory while a kernel that was launched on it may run.
            None => Ok(unsafe { std::slice::from_raw_parts_mut(at as *mut u8, bytes) }),
        }
    }

    fn is_host(&self, at: u64, bytes: usize) -> bool {
        let before = self.host.range(..=at).next_back();
        before.is_some_and(|(start, size)| at + bytes as u64 <= start + *size as u64)
    }

    #[cold]
    fn illegal(&self, at: u64, bytes: usize) -> Fault {
        let why = match place(at) {
            None => "it isn't device memory".to_owned(),
            Some((range, offset)) => match self.ranges.get(range) {
                Some(Some(found)) => format!(
                    "the allocation has {} bytes, the access begins at byte {}",
                    found.bytes.len(),
                    offset as i64
                ),
                Some(None) => "the allocation was freed".to_owned(),
                None => "there was never an allocation".to_owned(),
            },
        };
        Fault::illegal(at, bytes, &why)
    }
}

/// The number of the range of a device address, and the offset from the start of its allocation, which wraps around before the start.
#[inline]
fn place(at: u64) -> Option<(usize, usize)> {
    let range = (at >> RANGE_BITS).checked_sub(FIRST_RANGE)?;
    let offset = (at & ((1 << RANGE_BITS) - 1)).wrapping_sub(BASE) as usize;
    Some((range as usize, offset))
}

#[inline]
pub(crate) fn aligned(at: u64, bytes: usize) -> Result<(), Fault> {
    if at & (bytes as u64 - 1) == 0 {
        Ok(())
    } else {
        Err(Fault::misaligned(at, bytes))
    }
}
