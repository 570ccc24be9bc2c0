//! Shared memory of a block. Each byte remembers who read and wrote it last and when, so that accesses which no barrier orders are found.

use super::fault::Fault;
use super::memory::aligned;
use super::order::{ATOMIC, Clock, SEVERAL, Stamp, named, who};

#[derive(Debug, Default)]
pub(crate) struct Shared {
    bytes: Vec<u8>,
    writers: Vec<Stamp>,
    readers: Vec<Stamp>,
}

impl Shared {
    /// Poisoned memory for a new block.
    pub(crate) fn start(&mut self, bytes: usize) {
        self.bytes.clear();
        self.bytes.resize(bytes, 0xFF);
        for stamps in [&mut self.writers, &mut self.readers] {
            stamps.clear();
            stamps.resize(bytes, 0);
        }
    }

    /// All accesses are ordered before what follows: only whether a byte was written still matters.
    pub(crate) fn forget_times(&mut self) {
        self.writers
            .iter_mut()
            .filter(|s| **s != 0)
            .for_each(|s| *s = SEVERAL);
        self.readers.fill(0);
    }

    pub(crate) fn read(
        &mut self,
        at: u64,
        bytes: usize,
        thread: u32,
        clock: &Clock,
    ) -> Result<&[u8], Fault> {
        let range = self.range(at, bytes)?;
        for s in &self.writers[range.clone()] {
            if *s == 0 {
                return Err(Fault::failed(format!(
                    "shared memory at {at:#x} is read before it is written"
                )));
            }
            if clock.is_unordered(*s, thread) {
                return Err(race(at, *s, "wrote"));
            }
        }
        let (now, several) = (clock.stamp(thread + 1), clock.stamp(SEVERAL));
        for s in &mut self.readers[range.clone()] {
            *s = if clock.is_unordered(*s, thread) {
                several
            } else {
                now
            };
        }
        Ok(&self.bytes[range])
    }

    /// Writes `value`. Several threads may write the same value.
    pub(crate) fn write(
        &mut self,
        at: u64,
        value: &[u8],
        thread: u32,
        clock: &Clock,
    ) -> Result<(), Fault> {
        let range = self.range(at, value.len())?;
        for (i, &new) in range.clone().zip(value) {
            if clock.is_unordered(self.readers[i], thread) {
                return Err(race(at, self.readers[i], "read"));
            }
            if clock.is_unordered(self.writers[i], thread) && self.bytes[i] != new {
                return Err(race(at, self.writers[i], "wrote"));
            }
        }
        self.writers[range.clone()].fill(clock.stamp(thread + 1));
        self.bytes[range].copy_from_slice(value);
        Ok(())
    }

    /// The bytes for an atomic operation, which is unordered only with plain accesses.
    pub(crate) fn atomic(
        &mut self,
        at: u64,
        bytes: usize,
        thread: u32,
        clock: &Clock,
    ) -> Result<&mut [u8], Fault> {
        let range = self.range(at, bytes)?;
        for i in range.clone() {
            if self.writers[i] == 0 {
                return Err(Fault::failed(format!(
                    "shared memory at {at:#x} is changed before it is written"
                )));
            }
            for s in [self.writers[i], self.readers[i]] {
                if who(s) != ATOMIC && clock.is_unordered(s, thread) {
                    return Err(race(at, s, "accessed"));
                }
            }
        }
        // A plain write of this thread still races with atomic operations of others.
        let others = |s: &&mut Stamp| !clock.is_recent(**s, thread);
        self.writers[range.clone()]
            .iter_mut()
            .filter(others)
            .for_each(|s| *s = clock.stamp(ATOMIC));
        Ok(&mut self.bytes[range])
    }

    fn range(&self, at: u64, bytes: usize) -> Result<std::ops::Range<usize>, Fault> {
        aligned(at, bytes)?;
        match at
            .checked_add(bytes as u64)
            .filter(|&e| e <= self.bytes.len() as u64)
        {
            Some(end) => Ok(at as usize..end as usize),
            None => Err(Fault::illegal(
                at,
                bytes,
                &format!("the block has {} bytes of shared memory", self.bytes.len()),
            )),
        }
    }
}

#[cold]
fn race(at: u64, s: Stamp, did: &str) -> Fault {
    Fault::failed(format!(
        "a race in shared memory: {} {did} address {at:#x} and no barrier is between",
        named(s)
    ))
}
