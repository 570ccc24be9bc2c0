//! Shared memory of a block. Each byte remembers who read and wrote it last and when, so that accesses which no barrier orders are found.
//!
//! Time counts the synchronizations of the block. An access is ordered before another thread's access if a barrier lies between them, or,
//! within a warp, a `bar.warp.sync`.

use super::fault::Fault;
use super::memory::aligned;

/// A time and a thread: the low bits are the thread's number plus one. Zero: never.
type Stamp = u32;

const THREAD_BITS: u32 = 12;
/// Stands for several threads.
const SEVERAL: Stamp = (1 << THREAD_BITS) - 1;
/// Stands for threads that accessed the byte by atomic operations.
const ATOMIC: Stamp = SEVERAL - 1;
const LAST_TIME: u32 = (1 << (32 - THREAD_BITS)) - 1;

fn stamp(time: u32, who: Stamp) -> Stamp {
    time << THREAD_BITS | who
}

/// Since when accesses of others are unordered with those of a thread.
#[derive(Clone, Copy)]
struct Since {
    block: u32,
    warp: u32,
}

#[derive(Debug, Default)]
pub(crate) struct Shared {
    bytes: Vec<u8>,
    writers: Vec<Stamp>,
    readers: Vec<Stamp>,
    time: u32,
    /// The time of the last barrier of the block.
    barrier: u32,
    /// The time of the last synchronization of each warp.
    warps: Vec<u32>,
}

impl Shared {
    /// Poisoned memory for a new block.
    pub(crate) fn start(&mut self, bytes: usize, threads: u32) {
        self.bytes.clear();
        self.bytes.resize(bytes, 0xFF);
        for stamps in [&mut self.writers, &mut self.readers] {
            stamps.clear();
            stamps.resize(bytes, 0);
        }
        (self.time, self.barrier) = (1, 1);
        self.warps.clear();
        self.warps.resize(threads.div_ceil(32) as usize, 1);
    }

    /// All threads of the block were synchronized.
    pub(crate) fn synchronize(&mut self) {
        if self.time >= LAST_TIME / 2 {
            self.forget_times();
        }
        self.time += 1;
        self.barrier = self.time;
        self.warps.fill(self.time);
    }

    /// The threads of a warp were synchronized.
    pub(crate) fn synchronize_warp(&mut self, warp: usize) {
        if self.time < LAST_TIME {
            self.time += 1;
        }
        self.warps[warp] = self.time;
    }

    /// All accesses are ordered before what follows: only whether a byte was written still matters.
    fn forget_times(&mut self) {
        for s in self.writers.iter_mut().filter(|s| **s != 0) {
            *s = stamp(0, SEVERAL);
        }
        self.readers.fill(0);
        self.time = 0;
    }

    pub(crate) fn read(&mut self, at: u64, bytes: usize, thread: u32) -> Result<&[u8], Fault> {
        let range = self.range(at, bytes)?;
        let (since, me) = (self.since(thread), thread + 1);
        for s in &self.writers[range.clone()] {
            if *s == 0 {
                return Err(Fault::failed(format!(
                    "shared memory at {at:#x} is read before it is written"
                )));
            }
            if unordered(*s, since, me) {
                return Err(race(at, *s, "wrote"));
            }
        }
        let now = stamp(self.time, me);
        for s in &mut self.readers[range.clone()] {
            *s = if unordered(*s, since, me) {
                stamp(self.time, SEVERAL)
            } else {
                now
            };
        }
        Ok(&self.bytes[range])
    }

    /// Writes `value`. Several threads may write the same value.
    pub(crate) fn write(&mut self, at: u64, value: &[u8], thread: u32) -> Result<(), Fault> {
        let range = self.range(at, value.len())?;
        let (since, me) = (self.since(thread), thread + 1);
        for (i, &new) in range.clone().zip(value) {
            if unordered(self.readers[i], since, me) {
                return Err(race(at, self.readers[i], "read"));
            }
            if unordered(self.writers[i], since, me) && self.bytes[i] != new {
                return Err(race(at, self.writers[i], "wrote"));
            }
        }
        self.writers[range.clone()].fill(stamp(self.time, me));
        self.bytes[range].copy_from_slice(value);
        Ok(())
    }

    /// The bytes for an atomic operation, which is unordered only with plain accesses.
    pub(crate) fn atomic(
        &mut self,
        at: u64,
        bytes: usize,
        thread: u32,
    ) -> Result<&mut [u8], Fault> {
        let range = self.range(at, bytes)?;
        let (since, me) = (self.since(thread), thread + 1);
        for i in range.clone() {
            if self.writers[i] == 0 {
                return Err(Fault::failed(format!(
                    "shared memory at {at:#x} is changed before it is written"
                )));
            }
            for s in [self.writers[i], self.readers[i]] {
                if s & SEVERAL != ATOMIC && unordered(s, since, me) {
                    return Err(race(at, s, "accessed"));
                }
            }
        }
        // A plain write of this thread still races with atomic operations of others.
        let others = |s: &&mut Stamp| **s & SEVERAL != me || **s >> THREAD_BITS < self.barrier;
        self.writers[range.clone()]
            .iter_mut()
            .filter(others)
            .for_each(|s| *s = stamp(self.time, ATOMIC));
        Ok(&mut self.bytes[range])
    }

    fn since(&self, thread: u32) -> (Since, u32) {
        (
            Since {
                block: self.barrier,
                warp: self.warps[thread as usize / 32],
            },
            thread / 32,
        )
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

/// Whether an access with this stamp, of another thread than `me`, isn't ordered before one of `me` now.
#[inline]
fn unordered(s: Stamp, (since, warp): (Since, u32), me: Stamp) -> bool {
    let (time, who) = (s >> THREAD_BITS, s & SEVERAL);
    if time < since.block || who == me || who == 0 {
        return false;
    }
    let same_warp = who < ATOMIC && (who - 1) / 32 == warp;
    !same_warp || time >= since.warp
}

#[cold]
fn race(at: u64, s: Stamp, did: &str) -> Fault {
    let who = match s & SEVERAL {
        SEVERAL => "several threads".to_owned(),
        ATOMIC => "an atomic operation".to_owned(),
        n => format!("thread {}", n - 1),
    };
    Fault::failed(format!(
        "a race in shared memory: {who} {did} address {at:#x} and no barrier is between"
    ))
}
