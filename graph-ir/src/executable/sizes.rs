//! Plans for sizes that recur. A run looks for the plan of its inputs' sizes: it compares numbers under a lock that only the insertion of a
//! plan takes alone, and doesn't wait even for that, since the plan for all sizes is always right. A plan is made
//! beside all locks, by the thread whose call it is for; other threads go on with what there is.
//!
//! What this may cost is bounded. Sizes get a plan when they come the second time, until there are [`MAX_PLANS`]; from
//! then on the one that was unused for longest goes, and each such exchange doubles how often sizes must have come before, up to [`MAX_CALLS`].
//! So a program whose sizes hardly recur makes some dozen plans in all. Plans with slots of the same
//! types share their frames, which then take the memory of the largest sizes and not of all together.

use std::hash::Hasher;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, PoisonError, TryLockError};

use graph_kernels::Array;
use rustc_hash::FxHasher;
use smallvec::SmallVec;

use super::Executable;
use super::recurrence::Recurrence;
use crate::graph::{Graph, TensorType};
use crate::passes;
use crate::plan::Plan;
use crate::sync::{Mutex, RwLock};

/// How many plans are kept for one graph.
const MAX_PLANS: usize = 16;

/// How often sizes come before they get a plan, at first and at last: what making a plan costs is some hundred calls of a small graph,
/// and less than one of a large one.
const MIN_CALLS: u64 = 2;
const MAX_CALLS: u64 = 1024;

/// The plans of one graph for some sizes of its inputs.
pub(super) struct SizedPlans {
    /// How many inputs the graph has.
    inputs: usize,
    /// Those whose sizes it doesn't know.
    open: Box<[usize]>,
    kept: RwLock<Kept>,
    seen: Recurrence,
    /// Held by the thread that makes a plan.
    making: Mutex<()>,
}

struct Kept {
    plans: Vec<Entry>,
    /// How many plans were kept so far: the time by which use is told.
    time: u64,
    /// How often sizes must come to get a plan.
    calls: u64,
}

struct Entry {
    /// The sizes of the open inputs.
    sizes: Sizes,
    /// `None` if the graph can't be right for them: the plan for all sizes says why.
    plan: Option<Arc<Plan>>,
    used: AtomicU64,
}

/// The shapes of the open inputs.
type Sizes = Box<[SmallVec<[usize; 4]>]>;

/// What is known of the sizes of a call.
enum Found {
    /// What there is for them.
    Kept(Option<Arc<Plan>>),
    /// Nothing. They get a plan when they came so often.
    Nothing { calls: u64 },
    /// A plan is being inserted at this moment.
    Busy,
}

impl SizedPlans {
    /// No plans yet; `None` if the graph knows the sizes of all its inputs.
    pub fn of(graph: &Graph) -> Option<SizedPlans> {
        let is_open = |i: &usize| graph.ty(graph.inputs[*i]).shape.to_known().is_none();
        let open: Box<[usize]> = (0..graph.inputs.len()).filter(is_open).collect();
        let kept = Kept {
            plans: Vec::new(),
            time: 0,
            calls: MIN_CALLS,
        };
        (!open.is_empty()).then(|| SizedPlans {
            inputs: graph.inputs.len(),
            open,
            kept: RwLock::new(kept),
            seen: Recurrence::default(),
            making: Mutex::new(()),
        })
    }

    /// The plans, the oldest first.
    pub fn plans(&self) -> Vec<Arc<Plan>> {
        let kept = self.kept.read().unwrap_or_else(PoisonError::into_inner);
        kept.plans
            .iter()
            .filter_map(|entry| entry.plan.clone())
            .collect()
    }

    /// The plan for the sizes of these inputs, which is made if they came often enough; `None` if the one for all sizes is to run.
    pub fn find_or_make(&self, of: &Executable, inputs: &[&Arc<Array>]) -> Option<Arc<Plan>> {
        if inputs.len() != self.inputs {
            return None;
        }
        match self.find(inputs) {
            Found::Kept(plan) => plan,
            Found::Nothing { calls } if takes(of.traced(), inputs) => {
                let often = self.seen.note(self.hash(inputs), calls);
                often.then(|| self.make(of, inputs)).flatten()
            }
            Found::Nothing { .. } | Found::Busy => None,
        }
    }

    fn find(&self, inputs: &[&Arc<Array>]) -> Found {
        let kept = match self.kept.try_read() {
            Ok(kept) => kept,
            Err(TryLockError::Poisoned(kept)) => kept.into_inner(),
            Err(TryLockError::WouldBlock) => return Found::Busy,
        };
        let Some(entry) = kept
            .plans
            .iter()
            .find(|entry| self.is_for(&entry.sizes, inputs))
        else {
            return Found::Nothing { calls: kept.calls };
        };
        // Written once between two new plans, so that readers don't fight over the line.
        if entry.used.load(Ordering::Relaxed) != kept.time {
            entry.used.store(kept.time, Ordering::Relaxed);
        }
        Found::Kept(entry.plan.clone())
    }

    fn is_for(&self, sizes: &Sizes, inputs: &[&Arc<Array>]) -> bool {
        let mut pairs = self.open.iter().zip(sizes);
        pairs.all(|(i, sizes)| {
            let shape = inputs[*i].shape();
            // Size by size: `==` of slices calls `memcmp`, which takes longer for so few.
            shape.len() == sizes.len() && shape.iter().zip(sizes).all(|(a, b)| a == b)
        })
    }

    fn hash(&self, inputs: &[&Arc<Array>]) -> u64 {
        let mut hasher = FxHasher::default();
        for i in &self.open {
            let shape = inputs[*i].shape();
            hasher.write_usize(shape.len());
            shape.iter().for_each(|size| hasher.write_usize(*size));
        }
        hasher.finish()
    }

    /// Makes and keeps a plan for the sizes of these inputs, unless another thread is making one.
    #[cold]
    fn make(&self, of: &Executable, inputs: &[&Arc<Array>]) -> Option<Arc<Plan>> {
        let _making = self.making.try_lock().ok()?;
        // Another thread may have been here.
        if let Found::Kept(plan) = self.find(inputs) {
            return plan;
        }
        let types: Vec<TensorType> = inputs.iter().map(|a| TensorType::of_array(a)).collect();
        let plan = passes::optimized_for(of.traced(), &types).map(|graph| {
            let mut plan = Plan::new(&graph);
            let mut others = self.plans().into_iter();
            if let Some(other) = others.find(|other| other.slots == plan.slots) {
                plan.scratch = other.scratch.clone();
            }
            Arc::new(plan)
        });
        let shapes = self.open.iter().map(|i| inputs[*i].shape());
        let sizes = shapes.map(SmallVec::from_slice).collect();
        let mut kept = self.kept.write().unwrap_or_else(PoisonError::into_inner);
        let dropped = kept.insert(sizes, plan.clone());
        drop(kept);
        drop(dropped);
        // What the plan for all sizes has kept may never be needed again.
        of.plan().scratch.clear();
        plan
    }
}

/// True if the arrays are of the types of a graph's inputs.
fn takes(graph: &Graph, inputs: &[&Arc<Array>]) -> bool {
    let mut pairs = graph.inputs.iter().zip(inputs);
    pairs.all(|(input, array)| graph.ty(*input).accepts(array))
}

impl Kept {
    /// Keeps a plan; gives the one unused for longest if there was no room.
    fn insert(&mut self, sizes: Sizes, plan: Option<Arc<Plan>>) -> Option<Entry> {
        let dropped = self.make_room();
        self.time += 1;
        self.plans.push(Entry {
            sizes,
            plan,
            used: AtomicU64::new(self.time),
        });
        dropped
    }

    fn make_room(&mut self) -> Option<Entry> {
        if self.plans.len() < MAX_PLANS {
            return None;
        }
        self.calls = (2 * self.calls).min(MAX_CALLS);
        let used = |i: &usize| self.plans[*i].used.load(Ordering::Relaxed);
        let oldest = (0..self.plans.len()).min_by_key(used)?;
        Some(self.plans.remove(oldest))
    }
}
