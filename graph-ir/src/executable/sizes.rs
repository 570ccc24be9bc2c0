//! Programs for sizes that recur. A run looks for the program of its inputs' sizes: it compares numbers under a lock that only the insertion of a
//! program takes alone, and doesn't wait even for that, since the program for all sizes is always right. A program is made
//! beside all locks, by the thread whose call it is for; other threads go on with what there is.
//!
//! What this may cost is bounded. Sizes get a program when they come the second time, until there are [`MAX_PROGRAMS`]; from
//! then on the one that was unused for longest goes, and each such exchange doubles how often sizes must have come before, up to [`MAX_CALLS`].
//! So a program whose sizes hardly recur makes some dozen programs in all. Programs with slots of the same
//! types share their frames, which then take the memory of the largest sizes and not of all together.

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

/// How many programs are kept for one graph.
const MAX_PROGRAMS: usize = 16;

/// How often sizes come before they get a program, at first and at last: what making a program costs is some hundred calls of a small graph,
/// and less than one of a large one.
const MIN_CALLS: u64 = 2;
const MAX_CALLS: u64 = 1024;

/// The programs of one graph for some sizes of its inputs.
pub(super) struct SizedPrograms {
    /// How many inputs the graph has.
    inputs: usize,
    /// Those whose sizes it doesn't know.
    open: Box<[usize]>,
    kept: RwLock<Kept>,
    seen: Recurrence,
    /// Held by the thread that makes a program.
    making: Mutex<()>,
}

struct Kept {
    programs: Vec<Entry>,
    /// How many programs were kept so far: the time by which use is told.
    time: u64,
    /// How often sizes must come to get a program.
    calls: u64,
}

struct Entry {
    /// The sizes of the open inputs.
    sizes: Sizes,
    /// `None` if the graph can't be right for them: the program for all sizes says why.
    program: Option<Arc<dyn Program>>,
    used: AtomicU64,
}

/// The shapes of the open inputs.
type Sizes = Box<[SmallVec<[usize; 4]>]>;

/// What is known of the sizes of a call.
enum Found {
    /// What there is for them.
    Kept(Option<Arc<dyn Program>>),
    /// Nothing. They get a program after so many calls.
    Nothing { calls: u64 },
    /// A program is being inserted at this moment.
    Busy,
}

impl SizedPrograms {
    /// No programs yet; `None` if the graph knows the sizes of all its inputs.
    pub fn of(graph: &Graph) -> Option<SizedPrograms> {
        let is_open = |i: &usize| graph.ty(graph.inputs[*i]).shape.to_known().is_none();
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

    /// The program for the sizes of these inputs, which is made if they came often enough; `None` if the one for all sizes is to run.
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
        // Written once between two new programs, so that readers don't fight over the line.
        if entry.used.load(Ordering::Relaxed) != kept.time {
            entry.used.store(kept.time, Ordering::Relaxed);
        }
        Found::Kept(entry.program.clone())
    }

    fn is_for(&self, sizes: &Sizes, inputs: &[&Storage]) -> bool {
        let mut pairs = self.open.iter().zip(sizes);
        pairs.all(|(i, sizes)| {
            let shape = inputs[*i].shape();
            // Size by size: `==` of slices calls `memcmp`, which takes longer for so few.
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

    /// Makes and keeps a program for the sizes of these inputs, unless another thread is making one.
    #[cold]
    fn make(&self, of: &Programs, graph: &Graph, inputs: &[&Storage]) -> Option<Arc<dyn Program>> {
        let _making = self.making.try_lock().ok()?;
        // Another thread may have been here.
        if let Found::Kept(program) = self.find(inputs) {
            return program;
        }
        let types: Vec<TensorType> = inputs.iter().map(|input| input.ty()).collect();
        let program = passes::optimized_for(graph, &types)
            .map(|graph| of.device.compile(&graph, &self.programs()));
        let shapes = self.open.iter().map(|i| inputs[*i].shape());
        let sizes = shapes.map(SmallVec::from_slice).collect();
        let mut kept = self.kept.write().unwrap_or_else(PoisonError::into_inner);
        let dropped = kept.insert(sizes, program.clone());
        drop(kept);
        drop(dropped);
        // What the program for all sizes has kept may never be needed again.
        of.clear_for_all_sizes();
        program
    }
}

/// True if the arrays are of the types of a graph's inputs.
fn takes(graph: &Graph, inputs: &[&Storage]) -> bool {
    let mut pairs = graph.inputs.iter().zip(inputs);
    pairs.all(|(input, value)| graph.ty(*input).accepts_sizes(value.dtype(), value.shape()))
}

impl Kept {
    /// Keeps a program; gives the one unused for longest if there was no room.
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
