//! A recording: the recorded work, the addresses of its inputs and variables, and its results.

use std::collections::VecDeque;
use std::ops::Range;
use std::sync::Arc;

use graph_ir::error::{Error, Location};
use graph_kernels::{DType, Dims};

use super::super::effects::{Seen, Told};
use super::super::journal::{Journal, Room};
use super::pending::Pending;
use crate::driver::{Arena, Buffer, Failed, Graph, HostWord, Mark};
use crate::value::Tensor;

/// The address of an input or a variable, and its shape. A value that the host knows is part of the kernels' parameters instead.
#[derive(Clone, PartialEq)]
pub(super) struct Lies {
    shape: Dims,
    at: At,
}

#[derive(Clone, PartialEq)]
enum At {
    Address(u64),
    Known(Vec<u8>),
}

/// The recordings of a program for inputs of one kind.
#[derive(Default)]
pub(super) struct Takes {
    /// How often the program was recorded.
    pub attempts: u32,
    /// Set when the program can't be recorded.
    pub is_refused: bool,
    /// The shapes of the inputs that were rehearsed last, and the bytes that the buffers of such a run need.
    pub rehearsed: Option<(Vec<Dims>, usize)>,
    /// The room that journals need.
    pub room: Room,
    pub recordings: Vec<Take>,
}

/// A recording.
pub(super) struct Take {
    pub graph: Graph,
    pub inputs: Vec<Lies>,
    pub variables: Vec<Lies>,
    pub made: Buffers,
    pub outputs: Vec<Output>,
    /// The values that are assigned to variables.
    pub assigned: Vec<(u32, Output)>,
    /// What the host does after a launch, such as prints.
    pub told: Vec<Later>,
    /// Where the GPU writes what loops and branches print that it alone decides, and draws their seeds.
    pub journal: Option<Journal>,
    pub seeds: Vec<(Option<i64>, Tensor)>,
    /// The word that kernels set if an operand is wrong.
    pub fault: Option<Arc<HostWord>>,
    /// The GPU reaches it when it has done a launch whose word the host reads later; `None` if the host waits for each launch that may be wrong.
    pub mark: Option<Arc<Mark>>,
    /// The memory of the recorded work, which it may share with other recordings: launches run one after the other.
    pub memory: Arc<Buffer>,
    /// The parts of the memory that this recording uses.
    pub _arena: Arc<Arena>,
}

/// The memory of the results of a recording. Each part is in the list once, so its number of references tells whether a result has a handle.
#[derive(Default)]
pub(super) struct Buffers(pub Vec<Arc<Buffer>>);

/// What the host does after a launch.
pub(super) enum Later {
    /// What the instruction at a position tells, and its operands.
    Tell(usize, Vec<Output>),
    /// The journal's entries of some prints.
    Entries(Range<usize>),
}

impl Later {
    /// What is told, in order: the operands by their values, and the entries of the journal where they belong.
    pub fn in_order(
        all: &[Later],
        entries: &mut VecDeque<(usize, Told)>,
        values: impl Fn(&[Output]) -> Vec<Tensor>,
    ) -> Vec<Told> {
        let mut told = Vec::new();
        for later in all {
            match later {
                Later::Tell(at, outputs) => told.push(Told {
                    at: *at,
                    values: values(outputs).into_iter().map(Seen::Later).collect(),
                }),
                Later::Entries(prints) => {
                    let is_here = |(print, _): &mut (usize, Told)| prints.contains(print);
                    let here = std::iter::from_fn(|| entries.pop_front_if(is_here));
                    told.extend(here.map(|(_, entry)| entry));
                }
            }
        }
        told
    }
}

/// A result of a recording.
pub(super) enum Output {
    /// The work computes it; the number is that of its buffer.
    Made(DType, Dims, usize),
    /// An input.
    Input(usize),
    /// The value of a variable before the launch.
    Variable(usize),
    /// It is the same for each launch.
    Known(Tensor),
}

impl Buffers {
    /// The number of a buffer.
    pub fn number(&mut self, buffer: &Arc<Buffer>) -> usize {
        let known = self.0.iter().position(|other| Arc::ptr_eq(other, buffer));
        known.unwrap_or_else(|| {
            self.0.push(buffer.clone());
            self.0.len() - 1
        })
    }
}

impl Take {
    /// Whether no value of the last launch has a handle.
    pub fn is_free(&self) -> bool {
        let mut buffers = self.made.0.iter();
        buffers.all(|buffer| Arc::strong_count(buffer) == 1)
    }
}

impl Takes {
    /// Forgets the recordings, because a journal was too small. The next ones have more room.
    ///
    /// # Errors
    /// If there is no more room.
    pub fn enlarge_journals(&mut self) -> Result<(), Error> {
        let more = self.room.more();
        let message = "it prints more in a loop than the GPU keeps for the host";
        self.room = more.ok_or_else(|| Error::run(message, Location::unknown()))?;
        self.recordings.clear();
        self.attempts = 0;
        Ok(())
    }

    /// Whether no value in some memory has a handle.
    pub fn is_free(&self, memory: &Arc<Buffer>) -> bool {
        let sharing = self.recordings.iter();
        let mut sharing = sharing.filter(|take| Arc::ptr_eq(&take.memory, memory));
        sharing.all(Take::is_free)
    }

    /// The memory of recordings whose values have no handle, if it has at least this size.
    pub fn free_memory(&self, bytes: usize) -> Option<Arc<Buffer>> {
        let mut memories = self.recordings.iter().map(|take| &take.memory);
        let is_free = |memory: &&Arc<Buffer>| memory.bytes() >= bytes && self.is_free(memory);
        memories.find(is_free).cloned()
    }
}

impl Lies {
    pub fn of(value: &Tensor) -> Result<Lies, Failed> {
        let at = match value.known().and_then(|array| array.bytes()) {
            Some(bytes) => At::Known(bytes.to_vec()),
            None => At::Address(value.buffer()?.address()),
        };
        let shape = value.shape.clone();
        Ok(Lies { shape, at })
    }
}

/// What a launch, or a rehearsal, has done.
pub(super) struct Launched {
    pub results: Vec<Tensor>,
    /// What the host does now, such as prints.
    pub told: Vec<Told>,
    /// The launch, if the host doesn't know its outcome yet.
    pub pending: Option<Arc<Pending>>,
}
