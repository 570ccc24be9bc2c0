//! Launches that wait. A kernel of few blocks leaves most of a GPU idle, and each kernel takes time to begin. So while a program is recorded, small
//! kernels wait until somebody needs what they write. By then there may be others that don't depend on them, and all are one launch (`together`).

use std::cell::Cell;
use std::slice::from_ref;
use std::sync::Arc;

use super::together::Late;
use super::{Description, Kernels};
use crate::driver::{Buffer, Failed, Launch, free_dropped, keeping_dropped};

/// The most launches that wait: what they read is kept until they are queued.
const MOST: usize = 64;

/// A launch that waits.
struct Waiter {
    caught: Caught,
    /// The buffers that it reads, which must live.
    _reads: Vec<Arc<Buffer>>,
    writes: Vec<Arc<Buffer>>,
}

/// A launch that isn't queued, with the buffers that only its computation knew: it has dropped them, and the launch may use them.
pub struct Caught {
    late: Late,
    _dropped: Vec<Buffer>,
}

/// The launches that wait. Those of a level don't depend on each other, and read what the levels before it write.
#[derive(Default)]
pub struct Waiting {
    levels: Vec<Vec<Waiter>>,
}

impl Waiting {
    /// Adds a launch that was [caught](Kernels::catching).
    ///
    /// # Errors
    /// If so many wait that they are queued, and the driver fails.
    pub fn add(
        &mut self,
        kernels: &Kernels,
        caught: Caught,
        reads: Vec<Arc<Buffer>>,
        writes: Vec<Arc<Buffer>>,
    ) -> Result<(), Failed> {
        let level = self.levels_for(&reads);
        if level == self.levels.len() {
            self.levels.push(Vec::new());
        }
        self.levels[level].push(Waiter {
            caught,
            _reads: reads,
            writes,
        });
        match self.levels.iter().map(Vec::len).sum::<usize>() < MOST {
            true => Ok(()),
            false => self.queue(kernels),
        }
    }

    /// How many levels must be queued before these buffers can be read.
    fn levels_for(&self, buffers: &[Arc<Buffer>]) -> usize {
        let is_one = |written: &Arc<Buffer>| buffers.iter().any(|b| Arc::ptr_eq(b, written));
        let writes = |waiter: &Waiter| waiter.writes.iter().any(is_one);
        let last = self
            .levels
            .iter()
            .rposition(|level| level.iter().any(writes));
        last.map_or(0, |level| level + 1)
    }

    /// Queues all launches.
    ///
    /// # Errors
    /// If the driver fails.
    pub fn queue(&mut self, kernels: &Kernels) -> Result<(), Failed> {
        self.queue_levels(kernels, self.levels.len())
    }

    /// Queues what must be done before a buffer can be read.
    ///
    /// # Errors
    /// If the driver fails.
    pub fn queue_for(&mut self, kernels: &Kernels, buffer: &Arc<Buffer>) -> Result<(), Failed> {
        self.queue_levels(kernels, self.levels_for(from_ref(buffer)))
    }

    fn queue_levels(&mut self, kernels: &Kernels, count: usize) -> Result<(), Failed> {
        for level in self.levels.drain(..count) {
            let launches = level.iter().map(|waiter| &waiter.caught.late).collect();
            // SAFETY: the waiters keep the buffers until the launches are queued. Memory is freed in the order of the stream.
            unsafe { kernels.together(launches) }?;
        }
        Ok(())
    }
}

/// A computation that may turn out to be one small launch.
struct Scope {
    waiting: Waiting,
    /// How many levels must be queued before it.
    needed: usize,
    caught: Option<Late>,
    /// Whether it was something else: its launches are queued as they come.
    passes: bool,
}

thread_local! {
    /// The computation of this thread.
    static SCOPE: Cell<Option<Scope>> = const { Cell::new(None) };
}

impl Kernels {
    /// Runs a computation that reads some buffers. If all that it does is one small launch, that isn't queued but returned.
    pub fn catching<T>(
        &self,
        waiting: &mut Waiting,
        reads: &[Arc<Buffer>],
        computation: impl FnOnce() -> T,
    ) -> (T, Option<Caught>) {
        struct Ended;
        impl Drop for Ended {
            fn drop(&mut self) {
                SCOPE.take();
            }
        }
        let _ended = Ended;
        SCOPE.set(Some(Scope {
            needed: waiting.levels_for(reads),
            waiting: std::mem::take(waiting),
            caught: None,
            passes: false,
        }));
        let (result, dropped) = keeping_dropped(computation);
        let Some(scope) = SCOPE.take() else {
            return (result, None);
        };
        *waiting = scope.waiting;
        let caught = scope.caught.map(|late| Caught {
            late,
            _dropped: dropped,
        });
        (result, caught)
    }

    /// Whether a launch is kept and not queued.
    ///
    /// # Errors
    /// If others must be queued before it, and the driver fails.
    pub(super) fn catches(
        &self,
        description: &impl Description,
        launch: &Launch<'_>,
    ) -> Result<bool, Failed> {
        let Some(mut scope) = SCOPE.take() else {
            return Ok(false);
        };
        let (across, down) = launch.blocks;
        // A kernel with a block for each multiprocessor needs no company.
        let is_small = down == 1 && across <= self.gpu().multiprocessors;
        if scope.passes || scope.caught.is_some() || !is_small {
            SCOPE.set(Some(scope));
            self.pass()?;
            return Ok(false);
        }
        scope.caught = Some(Late::new(description, launch));
        SCOPE.set(Some(scope));
        Ok(true)
    }

    /// Queues what a computation needs, and what it has launched, because it does something else now.
    ///
    /// # Errors
    /// If the driver fails.
    pub(super) fn pass(&self) -> Result<(), Failed> {
        let Some(mut scope) = SCOPE.take() else {
            return Ok(());
        };
        scope.passes = true;
        scope.waiting.queue_levels(self, scope.needed)?;
        scope.needed = 0;
        if let Some(late) = scope.caught.take() {
            // SAFETY: the computation keeps its operands and its result, and what it has dropped is freed below.
            unsafe { self.together(vec![&late]) }?;
        }
        free_dropped();
        SCOPE.set(Some(scope));
        Ok(())
    }
}
