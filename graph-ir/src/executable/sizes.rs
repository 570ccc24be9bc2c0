//! Programs for sizes that recur. A run looks for the program for the sizes of its inputs: it compares the sizes under a read lock. Only the
//! insertion of a program takes the write lock, and a run doesn't wait for it: the program for all sizes is always correct. A program is
//! compiled outside these locks by the thread whose call needs it; meanwhile other threads use the programs that exist.
//!
//! The cost is bounded. At first, sizes get a program at their second call, until there are [`MAX_PROGRAMS`] programs. After that,
//! a new program replaces the least recently used one, and each replacement doubles the number of calls that sizes need to get a
//! program, up to [`MAX_CALLS`]. So if the sizes of a user's program hardly recur, only a few dozen programs are compiled in all. Programs
//! whose slots have the same types share their frames, which then need the memory of the largest sizes, not the sum over all sizes.

use std::hash::Hasher;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, PoisonError, TryLockError};

use rustc_hash::FxHasher;
use smallvec::SmallVec;

use super::programs::Programs;
use super::recurrence::Recurrence;
use crate::device::{Program, Storage};
use crate::graph::{Graph, TensorType};
use crate::passes;
use crate::sync::{Mutex, RwLock};

/// The maximum number of programs that are kept for one graph.
const MAX_PROGRAMS: usize = 16;

/// How many calls sizes need to get a program, at first and at most. Compiling a program takes as long as a few hundred calls of a small
/// graph, and less than one call of a large one.
const MIN_CALLS: u64 = 2;
const MAX_CALLS: u64 = 1024;

/// The programs of one graph for specific sizes of its inputs.
pub(super) struct SizedPrograms {
    /// How many inputs the graph has.
    inputs: usize,
    /// The positions of the inputs whose sizes the graph doesn't know.
    open: Box<[usize]>,
    kept: RwLock<Kept>,
    seen: Recurrence,
    /// Held by the thread that is compiling a program.
    making: Mutex<()>,
}

struct Kept {
    programs: Vec<Entry>,
    /// The number of insertions so far; used as the clock for the time of last use.
    time: u64,
    /// How many calls sizes need to get a program.
    calls: u64,
}

struct Entry {
    /// The sizes of the open inputs.
    sizes: Sizes,
    /// `None` if the graph always fails for these sizes: the program for all sizes reports the error.
    program: Option<Arc<dyn Program>>,
    used: AtomicU64,
}

/// The shapes of the open inputs.
type Sizes = Box<[SmallVec<[usize; 4]>]>;

/// The result of looking for a program.
enum Found {
    /// The entry's program.
    Kept(Option<Arc<dyn Program>>),
    /// There is no entry; one is made after `calls` calls with the same sizes.
    Nothing { calls: u64 },
    /// Another thread is inserting a program at this moment.
    Busy,
}

impl SizedPrograms {
    /// Starts without programs; `None` if the graph knows the sizes of all its inputs.
    pub fn of(graph: &Graph) -> Option<SizedPrograms> {
        let is_open = |i: &usize| !graph.ty(graph.inputs[*i]).shape.is_known();
        let open: Box<[usize]> = (0..graph.inputs.len()).filter(is_open).collect();
        let kept = Kept {
            programs: Vec::new(),
            time: 0,
            calls: MIN_CALLS,
        };
        (!open.is_empty()).then(|| SizedPrograms {
            inputs: graph.inputs.len(),
            open,
            kept: RwLock::new(kept),
            seen: Recurrence::default(),
            making: Mutex::new(()),
        })
    }

    /// The programs, the oldest first.
    pub fn programs(&self) -> Vec<Arc<dyn Program>> {
        let kept = self.kept.read().unwrap_or_else(PoisonError::into_inner);
        kept.programs
            .iter()
            .filter_map(|entry| entry.program.clone())
            .collect()
    }

    /// The program for the sizes of these inputs. It is compiled if the sizes have recurred often enough.
    /// `None` if the program for all sizes must run.
    pub fn find_or_make(
        &self,
        of: &Programs,
        graph: &Graph,
        inputs: &[&Storage],
    ) -> Option<Arc<dyn Program>> {
        if inputs.len() != self.inputs {
            return None;
        }
        match self.find(inputs) {
            Found::Kept(program) => program,
            Found::Nothing { calls } if takes(graph, inputs) => {
                let often = self.seen.note(self.hash(inputs), calls);
                often.then(|| self.make(of, graph, inputs)).flatten()
            }
            Found::Nothing { .. } | Found::Busy => None,
        }
    }

    fn find(&self, inputs: &[&Storage]) -> Found {
        let kept = match self.kept.try_read() {
            Ok(kept) => kept,
            Err(TryLockError::Poisoned(kept)) => kept.into_inner(),
            Err(TryLockError::WouldBlock) => return Found::Busy,
        };
        let Some(entry) = kept
            .programs
            .iter()
            .find(|entry| self.is_for(&entry.sizes, inputs))
        else {
            return Found::Nothing { calls: kept.calls };
        };
        // Written at most once between two insertions, so that threads don't compete for the cache line.
        if entry.used.load(Ordering::Relaxed) != kept.time {
            entry.used.store(kept.time, Ordering::Relaxed);
        }
        Found::Kept(entry.program.clone())
    }

    fn is_for(&self, sizes: &Sizes, inputs: &[&Storage]) -> bool {
        let mut pairs = self.open.iter().zip(sizes);
        pairs.all(|(i, sizes)| {
            let shape = inputs[*i].shape();
            // Compares size by size: `==` of slices calls `memcmp`, which is slower for so few values.
            shape.len() == sizes.len() && shape.iter().zip(sizes).all(|(a, b)| a == b)
        })
    }

    fn hash(&self, inputs: &[&Storage]) -> u64 {
        let mut hasher = FxHasher::default();
        for i in &self.open {
            let shape = inputs[*i].shape();
            hasher.write_usize(shape.len());
            shape.iter().for_each(|size| hasher.write_usize(*size));
        }
        hasher.finish()
    }

    /// Compiles and inserts a program for the sizes of these inputs, unless another thread is compiling one.
    #[cold]
    fn make(&self, of: &Programs, graph: &Graph, inputs: &[&Storage]) -> Option<Arc<dyn Program>> {
        let _making = self.making.try_lock().ok()?;
        // Another thread may have inserted the program in the meantime.
        if let Found::Kept(program) = self.find(inputs) {
            return program;
        }
        let types: Vec<TensorType> = inputs.iter().map(|input| input.ty()).collect();
        let mut siblings = self.programs();
        siblings.extend(of.made_for_all_sizes());
        let program =
            passes::optimized_for(graph, &types).map(|graph| of.device.compile(&graph, &siblings));
        let shapes = self.open.iter().map(|i| inputs[*i].shape());
        let sizes = shapes.map(SmallVec::from_slice).collect();
        let mut kept = self.kept.write().unwrap_or_else(PoisonError::into_inner);
        let dropped = kept.insert(sizes, program.clone());
        drop(kept);
        drop(dropped);
        // The memory that the program for all sizes keeps may never be needed again.
        of.clear_for_all_sizes();
        program
    }
}

/// True if the graph's input types accept these arrays.
fn takes(graph: &Graph, inputs: &[&Storage]) -> bool {
    let mut pairs = graph.inputs.iter().zip(inputs);
    pairs.all(|(input, value)| graph.ty(*input).accepts_sizes(value.dtype(), value.shape()))
}

impl Kept {
    /// Inserts a program; returns the least recently used one if it had to be removed.
    fn insert(&mut self, sizes: Sizes, program: Option<Arc<dyn Program>>) -> Option<Entry> {
        let dropped = self.make_room();
        self.time += 1;
        self.programs.push(Entry {
            sizes,
            program,
            used: AtomicU64::new(self.time),
        });
        dropped
    }

    fn make_room(&mut self) -> Option<Entry> {
        if self.programs.len() < MAX_PROGRAMS {
            return None;
        }
        self.calls = (2 * self.calls).min(MAX_CALLS);
        let used = |i: &usize| self.programs[*i].used.load(Ordering::Relaxed);
        let oldest = (0..self.programs.len()).min_by_key(used)?;
        Some(self.programs.remove(oldest))
    }
}
