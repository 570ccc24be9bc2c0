//! The state behind the driver's functions. There is one, behind a lock.

pub(crate) mod code;
pub(crate) mod graph;
pub(crate) mod launch;
pub(crate) mod memory;
pub(crate) mod module;
pub(crate) mod product;
pub(crate) mod queue;
pub(crate) mod stream;

use crate::counts::Counts;
use crate::exec::{Conditions, Manner, Memory, Tally};
use code::Code;
use std::cell::Cell;
use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};

/// What a call answers other than success.
pub(crate) type Answer<T = ()> = Result<T, Code>;

/// A call that fails: the one after `after` others.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Injected {
    pub after: u64,
    pub code: u32,
}

impl Injected {
    /// The code if it is due, after which nothing more fails; else one call fewer is left.
    pub(crate) fn due(injected: &mut Option<Self>) -> Option<u32> {
        match injected {
            Some(Self { after: 0, code }) => {
                let code = *code;
                *injected = None;
                Some(code)
            }
            Some(i) => {
                i.after -= 1;
                None
            }
            None => None,
        }
    }
}

/// The switches of `control`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Settings {
    pub devices: usize,
    pub capability: (u32, u32),
    pub multiprocessors: u32,
    pub memory: u64,
    pub version: u32,
    pub manner: Manner,
    pub defer: bool,
    pub blas: bool,
    pub fail_launch: Option<Injected>,
    pub fail_allocation: Option<Injected>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            devices: 1,
            capability: (9, 0),
            multiprocessors: 4,
            memory: 16 << 30,
            version: 13000,
            manner: Manner::default(),
            defer: false,
            blas: false,
            fail_launch: None,
            fail_allocation: None,
        }
    }
}

/// What a handle of cuBLAS knows.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Blas {
    pub stream: usize,
    /// Whether it has a workspace of the program.
    pub workspace: bool,
}

#[derive(Default)]
pub(crate) struct Driver {
    pub settings: Settings,
    /// The code of a kernel's fault, which every later call answers.
    pub failed: Option<Code>,
    /// What the last error was, in words.
    pub last_error: String,
    pub memory: Memory,
    pub conditions: Conditions,
    pub modules: HashMap<usize, module::Module>,
    /// The module and the number of each function handle.
    pub functions: HashMap<usize, module::Handle>,
    pub streams: HashMap<usize, stream::Stream>,
    /// Work that streams haven't done yet.
    pub queues: HashMap<usize, VecDeque<queue::Work>>,
    /// The streams in which kernels were launched.
    pub working: HashSet<usize>,
    /// How many launches streams were asked for.
    pub submitted: u64,
    /// How many of them when a stream without kernels was asked for its last upload, if nobody has waited for it.
    pub at_upload: HashMap<usize, u64>,
    pub events: HashMap<usize, stream::Event>,
    /// The handles of the library that stands in for cuBLAS.
    pub blas: HashMap<usize, Blas>,
    pub graphs: HashMap<usize, graph::Graph>,
    pub executables: HashMap<usize, graph::Executable>,
    pub handles: HashMap<u64, graph::Condition>,
    /// Arrays of bodies' handles, to which the driver points callers; their addresses stay.
    pub bodies: Vec<Box<[usize]>>,
    pub count: Counts,
    pub tally: Tally,
    next: usize,
}

static DRIVER: LazyLock<Mutex<Driver>> = LazyLock::new(Mutex::default);

/// The driver, locked.
pub(crate) fn driver() -> MutexGuard<'static, Driver> {
    DRIVER.lock().unwrap_or_else(PoisonError::into_inner)
}

thread_local! {
    /// The device whose context is current in this thread.
    static CURRENT: Cell<Option<usize>> = const { Cell::new(None) };
}

/// The handles of contexts: this number plus the device's.
const CONTEXT: usize = 0x100;

pub(crate) fn set_current(context: usize) -> Answer {
    let device = match context {
        0 => None,
        c => Some(
            c.checked_sub(CONTEXT)
                .filter(|d| *d < driver().settings.devices)
                .ok_or(code::INVALID_CONTEXT)?,
        ),
    };
    CURRENT.set(device);
    Ok(())
}

/// The handle of the current context; 0 if there is none.
pub(crate) fn current() -> usize {
    CURRENT.get().map_or(0, |d| d + CONTEXT)
}

pub(crate) fn context_of(device: usize) -> usize {
    device + CONTEXT
}

/// The device of the current context.
pub(crate) fn device() -> Answer<usize> {
    CURRENT.get().ok_or(code::INVALID_CONTEXT)
}

/// The driver for a call that needs a context without an error.
pub(crate) fn ready() -> Answer<MutexGuard<'static, Driver>> {
    device()?;
    let d = driver();
    match d.failed {
        Some(code) => Err(code),
        None => Ok(d),
    }
}

impl Driver {
    /// A number that no other handle has.
    pub(crate) fn handle(&mut self) -> usize {
        self.next += 16;
        0x1000 + self.next
    }

    /// Remembers why a call fails.
    pub(crate) fn refuse<T>(&mut self, code: Code, why: impl Into<String>) -> Answer<T> {
        self.last_error = why.into();
        Err(code)
    }

    pub(crate) fn counts(&self) -> Counts {
        Counts {
            instructions: self.tally.instructions,
            bytes_read: self.tally.bytes_read,
            bytes_written: self.tally.bytes_written,
            ..self.count
        }
    }

    pub(crate) fn reset_counts(&mut self) {
        let Counts {
            live_allocations,
            live_bytes,
            ..
        } = self.count;
        self.count = Counts {
            live_allocations,
            live_bytes,
            peak_bytes: live_bytes,
            ..Counts::default()
        };
        self.tally = Tally::default();
    }
}
