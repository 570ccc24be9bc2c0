//! Which accesses of a block's threads are ordered. Time counts the synchronizations of the block. An access comes before another thread's
//! access if a barrier lies between them, or, within a warp, a `bar.warp.sync`.

/// A time and a thread: the low bits are the thread's number plus one. Zero: never.
pub(crate) type Stamp = u32;

const THREAD_BITS: u32 = 12;
/// Stands for several threads.
pub(crate) const SEVERAL: Stamp = (1 << THREAD_BITS) - 1;
/// Stands for threads that accessed a byte by atomic operations.
pub(crate) const ATOMIC: Stamp = SEVERAL - 1;
const LAST_TIME: u32 = (1 << (32 - THREAD_BITS)) - 1;

/// The thread of a stamp, plus one.
#[inline]
pub(crate) fn who(s: Stamp) -> Stamp {
    s & SEVERAL
}

/// The name of a stamp's thread.
pub(crate) fn named(s: Stamp) -> String {
    match who(s) {
        SEVERAL => "several threads".to_owned(),
        ATOMIC => "an atomic operation".to_owned(),
        n => format!("thread {}", n - 1),
    }
}

/// The synchronizations of a block.
#[derive(Debug, Default)]
pub(crate) struct Clock {
    time: u32,
    /// The time of the last barrier of the block.
    barrier: u32,
    /// The time of the last synchronization of each warp.
    warps: Vec<u32>,
}

impl Clock {
    /// Begins a block.
    pub(crate) fn start(&mut self, threads: u32) {
        (self.time, self.barrier) = (1, 1);
        self.warps.clear();
        self.warps.resize(threads.div_ceil(32) as usize, 1);
    }

    /// All threads of the block were synchronized.
    pub(crate) fn synchronize(&mut self) {
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

    /// Whether stamps must be forgotten, because the time is too high for them. It is asked at barriers, before which all is ordered.
    pub(crate) fn is_late(&self) -> bool {
        self.time >= LAST_TIME / 2
    }

    /// Begins to count again, after all stamps were forgotten.
    pub(crate) fn restart(&mut self) {
        let threads = 32 * self.warps.len() as u32;
        self.start(threads);
    }

    #[inline]
    pub(crate) fn stamp(&self, who: Stamp) -> Stamp {
        self.time << THREAD_BITS | who
    }

    /// Whether nothing orders an access with this stamp and one of `thread` now, if they are of different threads.
    #[inline]
    pub(crate) fn is_unordered(&self, s: Stamp, thread: u32) -> bool {
        let (time, who) = (s >> THREAD_BITS, who(s));
        if time < self.barrier || who == thread + 1 || who == 0 {
            return false;
        }
        let same_warp = who < ATOMIC && (who - 1) / 32 == thread / 32;
        !same_warp || time >= self.warps[thread as usize / 32]
    }

    /// Whether a stamp is of `thread` since the last barrier.
    pub(crate) fn is_recent(&self, s: Stamp, thread: u32) -> bool {
        who(s) == thread + 1 && s >> THREAD_BITS >= self.barrier
    }
}
