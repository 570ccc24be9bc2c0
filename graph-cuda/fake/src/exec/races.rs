//! Races in global memory, if a test asks for them: a log of all accesses of a launch, by byte. Threads of one block are ordered by its
//! barriers, threads of different blocks by nothing. Atomic operations don't race with each other.

use super::fault::Fault;
use super::order::{ATOMIC, Clock, SEVERAL, Stamp, named, who};
use std::collections::HashMap;

/// A block and a stamp of its clock.
#[derive(Clone, Copy, Debug, Default)]
struct Access {
    block: u64,
    stamp: Stamp,
}

#[derive(Clone, Copy, Debug, Default)]
struct Byte {
    writer: Access,
    reader: Access,
}

/// The accesses of a launch.
#[derive(Debug, Default)]
pub(crate) struct Races {
    bytes: HashMap<u64, Byte>,
}

/// Who accesses memory.
#[derive(Clone, Copy)]
pub(crate) struct Accessor<'a> {
    pub block: u64,
    pub thread: u32,
    pub clock: &'a Clock,
}

impl Accessor<'_> {
    fn is_unordered(self, with: Access) -> bool {
        who(with.stamp) != 0
            && (with.block != self.block || self.clock.is_unordered(with.stamp, self.thread))
    }

    fn now(self, who: Stamp) -> Access {
        Access {
            block: self.block,
            stamp: self.clock.stamp(who),
        }
    }
}

impl Races {
    pub(crate) fn read(&mut self, at: u64, bytes: usize, me: Accessor<'_>) -> Result<(), Fault> {
        for b in (at..).take(bytes) {
            let byte = self.bytes.entry(b).or_default();
            if me.is_unordered(byte.writer) {
                return Err(race(at, byte.writer, "wrote", me));
            }
            byte.reader = me.now(if me.is_unordered(byte.reader) {
                SEVERAL
            } else {
                me.thread + 1
            });
        }
        Ok(())
    }

    /// `old` is what is there, `new` what is written: several threads may write the same value.
    pub(crate) fn write(
        &mut self,
        at: u64,
        old: &[u8],
        new: &[u8],
        me: Accessor<'_>,
    ) -> Result<(), Fault> {
        for ((b, old), new) in (at..).zip(old).zip(new) {
            let byte = self.bytes.entry(b).or_default();
            if me.is_unordered(byte.reader) {
                return Err(race(at, byte.reader, "read", me));
            }
            if me.is_unordered(byte.writer) && old != new {
                return Err(race(at, byte.writer, "wrote", me));
            }
            byte.writer = me.now(me.thread + 1);
        }
        Ok(())
    }

    pub(crate) fn atomic(&mut self, at: u64, bytes: usize, me: Accessor<'_>) -> Result<(), Fault> {
        for b in (at..).take(bytes) {
            let byte = self.bytes.entry(b).or_default();
            for access in [byte.writer, byte.reader] {
                if who(access.stamp) != ATOMIC && me.is_unordered(access) {
                    return Err(race(at, access, "accessed", me));
                }
            }
            byte.writer = me.now(ATOMIC);
        }
        Ok(())
    }

    /// Forgets what the threads of a block did: it is ordered before what follows in that block, and what other blocks did stays.
    pub(crate) fn forget_times(&mut self, block: u64) {
        self.bytes
            .retain(|_, b| b.writer.block != block && b.reader.block != block);
    }
}

#[cold]
fn race(at: u64, with: Access, did: &str, me: Accessor<'_>) -> Fault {
    let of = if with.block == me.block {
        "this block".to_owned()
    } else {
        format!("block {}", with.block)
    };
    Fault::failed(format!(
        "a race in global memory: {} of {of} {did} address {at:#x} and no barrier is between",
        named(with.stamp)
    ))
}
