//! The memory of a recorded program: one piece of the GPU's memory, from which the program's buffers are cut. Addresses in recorded work are fixed, so
//! its buffers can't come from the driver's pool.
//!
//! While a thread records, its new buffers come from the arena. A buffer that is dropped makes room for later ones: the recorded work runs in order,
//! so nobody uses the old value any more.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use super::buffer::Buffer;
use super::fault::Fault;

/// Alignment of buffers, as the driver's own.
const ALIGNMENT: usize = 256;

thread_local! {
    static RECORDING: RefCell<Option<Recording>> = const { RefCell::new(None) };
    /// How many conditional nodes are around the work that is recorded now.
    static DEPTH: Cell<usize> = const { Cell::new(0) };
    /// The bytes of the buffers that live, and the most at a time.
    static METER: Cell<(isize, isize)> = const { Cell::new((0, 0)) };
}

/// What a thread records, or rehearses: a rehearsal does what a recording does, but the work runs, and buffers come from the pool.
#[derive(Clone)]
pub struct Recording {
    /// Where buffers come from; `None` in a rehearsal.
    pub arena: Option<Arc<Arena>>,
    /// The word in which the program's kernels report faults.
    pub fault: Fault,
}

/// Runs `f` while this thread records. Returns its result, and the most bytes that its buffers took at a time.
pub fn recording<T>(recording: Recording, f: impl FnOnce() -> T) -> (T, usize) {
    struct Ended;
    impl Drop for Ended {
        fn drop(&mut self) {
            RECORDING.set(None);
        }
    }
    RECORDING.set(Some(recording));
    let ended = Ended;
    METER.set((0, 0));
    let result = f();
    drop(ended);
    (result, METER.get().1 as usize)
}

/// What this thread records.
pub fn current() -> Option<Recording> {
    RECORDING.with_borrow(Clone::clone)
}

/// Whether this thread records or rehearses. Then no value can be fetched, because a recording computes none.
pub fn is_recording() -> bool {
    RECORDING.with_borrow(Option::is_some)
}

/// Whether the work of this thread is recorded and doesn't run.
pub fn only_records() -> bool {
    RECORDING.with_borrow(|now| now.as_ref().is_some_and(|now| now.arena.is_some()))
}

/// How many conditional nodes are around the work that is recorded now.
pub fn depth() -> usize {
    DEPTH.get()
}

/// Runs `f` one level deeper.
pub fn deeper<T>(f: impl FnOnce() -> T) -> T {
    struct Back(usize);
    impl Drop for Back {
        fn drop(&mut self) {
            DEPTH.set(self.0);
        }
    }
    let _back = Back(DEPTH.replace(DEPTH.get() + 1));
    f()
}

/// Counts a buffer that begins to live, or with a negative size, one that ends.
pub fn count(bytes: isize) {
    let (live, most) = METER.get();
    let size = rounded(bytes.unsigned_abs()) as isize * bytes.signum();
    METER.set((live + size, most.max(live + size)));
}

/// Memory with its free parts.
pub struct Arena {
    memory: Arc<Buffer>,
    free: Mutex<Free>,
}

impl Arena {
    /// An arena in some memory.
    pub fn new(memory: Arc<Buffer>) -> Arena {
        let free = Free::new(memory.bytes());
        Arena {
            memory,
            free: Mutex::new(free),
        }
    }

    /// The address of a free part; `None` if no part is large enough.
    pub fn take(&self, bytes: usize) -> Option<u64> {
        let mut free = self.free.lock().unwrap_or_else(PoisonError::into_inner);
        let start = free.take(bytes)?;
        Some(self.memory.address() + start as u64)
    }

    /// The address of a part that no buffer has used before; `None` if there is none.
    pub fn take_unused(&self, bytes: usize) -> Option<u64> {
        let mut free = self.free.lock().unwrap_or_else(PoisonError::into_inner);
        let start = free.take_unused(bytes)?;
        Some(self.memory.address() + start as u64)
    }

    /// Makes a part free again.
    pub fn give(&self, address: u64, bytes: usize) {
        let mut free = self.free.lock().unwrap_or_else(PoisonError::into_inner);
        free.give((address - self.memory.address()) as usize, bytes);
    }
}

/// The free parts of some bytes: their starts and sizes.
#[derive(Debug)]
pub struct Free {
    parts: BTreeMap<usize, usize>,
    /// Where the bytes begin that were never taken.
    unused: usize,
}

fn rounded(bytes: usize) -> usize {
    bytes.max(1).next_multiple_of(ALIGNMENT)
}

impl Free {
    /// All bytes are free.
    pub fn new(bytes: usize) -> Free {
        Free {
            parts: BTreeMap::from([(0, bytes)]),
            unused: 0,
        }
    }

    /// Takes the smallest part that is large enough.
    pub fn take(&mut self, bytes: usize) -> Option<usize> {
        let bytes = rounded(bytes);
        let fits = self.parts.iter().filter(|(_, size)| **size >= bytes);
        let (start, size) = fits.min_by_key(|(_, size)| **size).map(|(a, b)| (*a, *b))?;
        self.parts.remove(&start);
        if size > bytes {
            self.parts.insert(start + bytes, size - bytes);
        }
        self.unused = self.unused.max(start + bytes);
        Some(start)
    }

    /// Takes a part that was never taken before.
    pub fn take_unused(&mut self, bytes: usize) -> Option<usize> {
        let bytes = rounded(bytes);
        let (start, size) = self.parts.last_key_value().map(|(a, b)| (*a, *b))?;
        let (at, end) = (start.max(self.unused), start + size);
        if at + bytes > end {
            return None;
        }
        self.parts.remove(&start);
        for (from, to) in [(start, at), (at + bytes, end)] {
            if from < to {
                self.parts.insert(from, to - from);
            }
        }
        self.unused = at + bytes;
        Some(at)
    }

    /// Makes a part free, and joins it with its free neighbours.
    pub fn give(&mut self, mut start: usize, bytes: usize) {
        let mut size = rounded(bytes);
        if let Some(after) = self.parts.remove(&(start + size)) {
            size += after;
        }
        let before = self.parts.range(..start).next_back();
        if let Some((first, length)) = before.map(|(a, b)| (*a, *b))
            && first + length == start
        {
            self.parts.remove(&first);
            start = first;
            size += length;
        }
        self.parts.insert(start, size);
    }
}

#[cfg(test)]
mod tests {
    use super::{ALIGNMENT, Free};

    #[test]
    fn parts_that_are_given_back_are_joined() {
        let mut free = Free::new(10 * ALIGNMENT);
        let parts: Vec<usize> = (0..10).filter_map(|_| free.take(1)).collect();
        assert_eq!(parts.len(), 10);
        assert_eq!(free.take(1), None);
        for part in [3, 5, 4] {
            free.give(parts[part], 1);
        }
        assert_eq!(free.take(3 * ALIGNMENT), Some(3 * ALIGNMENT));
        assert_eq!(free.take(1), None);
    }

    #[test]
    fn the_smallest_part_that_fits_is_taken() {
        let mut free = Free::new(8 * ALIGNMENT);
        let large = free.take(3 * ALIGNMENT).unwrap();
        let kept = free.take(1).unwrap();
        let small = free.take(1).unwrap();
        let last = free.take(3 * ALIGNMENT).unwrap();
        free.give(large, 3 * ALIGNMENT);
        free.give(small, 1);
        assert_eq!(free.take(1), Some(small));
        assert_eq!(free.take(2 * ALIGNMENT), Some(large));
        assert_ne!(kept, last);
    }

    #[test]
    fn an_unused_part_is_beyond_all_that_were_taken() {
        let mut free = Free::new(4 * ALIGNMENT);
        let first = free.take(2 * ALIGNMENT).unwrap();
        free.give(first, 2 * ALIGNMENT);
        assert_eq!(free.take_unused(1), Some(2 * ALIGNMENT));
        assert_eq!(free.take(2 * ALIGNMENT), Some(0));
        free.give(2 * ALIGNMENT, 1);
        assert_eq!(free.take_unused(1), Some(3 * ALIGNMENT));
        assert_eq!(free.take_unused(1), None);
        assert_eq!(free.take(1), Some(2 * ALIGNMENT));
    }
}
