//! Shared graphs: the subgraphs and called graphs that nodes hold.

use std::fmt;
use std::ops::{Deref, DerefMut};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, LazyLock, OnceLock};

use smallvec::SmallVec;

use super::ir::{Graph, VariableId};
use crate::steps;

/// A graph that several nodes can hold. Copies of a node share it, so copying deep graphs is cheap; it is copied when one of the holders
/// changes it. Facts about it that are often needed are computed once and cached.
///
/// ```
/// # use graph_runtime::graph::{Graph, SharedGraph};
/// let graph: SharedGraph = Graph::default().into();
/// let mut other = graph.clone();
/// assert!(other.is_same(&graph));
/// other.nodes.clear();
/// assert!(!other.is_same(&graph) && other == graph);
/// ```
#[derive(Clone)]
pub struct SharedGraph(Arc<Held>);

struct Held {
    graph: Graph,
    facts: OnceLock<Facts>,
    /// Whether it has been verified as a called graph.
    is_valid: AtomicBool,
    /// Whether its types fit as those of a subgraph.
    fits: AtomicBool,
    /// One bit for each pass; it is set if the pass finds nothing to do in the graph and the graphs inside it.
    settled: AtomicU64,
}

/// Facts about a graph and everything inside it.
#[derive(Default)]
pub(super) struct Facts {
    /// Whether running it has an effect ([`Graph::has_effect`]).
    pub effect: bool,
    /// Whether running it hands values to the writer of summaries.
    pub summaries: bool,
    /// See [`Graph::directs_gradients`].
    pub directs_gradients: bool,
    /// See [`Graph::has_bodies`].
    pub has_bodies: bool,
    /// The number of nodes in it and in all graphs inside it or called. A graph that several nodes hold is counted each time.
    pub size: usize,
    /// See [`Graph::depth`].
    pub depth: usize,
    /// The variables that it reads, by their ids in its table.
    pub reads: Variables,
    /// The variables that it writes, by their ids in its table.
    pub writes: Variables,
}

/// Sorted, without duplicates.
pub(super) type Variables = SmallVec<[VariableId; 4]>;

impl Facts {
    fn of(graph: &Graph) -> Facts {
        steps::count(graph.nodes.len());
        let mut facts = Facts {
            directs_gradients: graph.derivation.is_some(),
            depth: graph.depth(),
            size: Graph::size_of(&graph.nodes),
            ..Facts::default()
        };
        for node in &graph.nodes {
            facts.effect |= node.op.has_effect();
            facts.summaries |= node.op.has_summaries();
            facts.has_bodies |= node.op.has_bodies();
            facts.directs_gradients |= node.op.directs_gradients();
            node.op.add_variables(&mut facts.reads, &mut facts.writes);
        }
        for variables in [&mut facts.reads, &mut facts.writes] {
            variables.sort_unstable();
            variables.dedup();
        }
        facts
    }
}

impl SharedGraph {
    /// Whether both handles refer to the same graph in memory.
    pub fn is_same(&self, other: &SharedGraph) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// The address of the graph.
    pub fn as_ptr(&self) -> *const Graph {
        &raw const self.0.graph
    }

    /// The number of its nodes and of all nodes inside it. A graph that several nodes hold, or call, is counted each time.
    pub fn size(&self) -> usize {
        self.facts().size
    }

    /// The facts about it. Inner graphs come first; they are kept in a list instead of using recursion, so the depth doesn't matter.
    pub(super) fn facts(&self) -> &Facts {
        let mut pending = vec![self];
        while let Some(graph) = pending.last().copied() {
            let around = pending.len();
            if graph.0.facts.get().is_none() {
                let inner = graph.inner();
                pending.extend(inner.filter(|graph| graph.0.facts.get().is_none()));
            }
            if pending.len() == around {
                graph.0.facts.get_or_init(|| Facts::of(graph));
                pending.pop();
            }
        }
        self.0.facts.get_or_init(|| Facts::of(self))
    }

    /// Whether it, or a graph inside it, hands values to the writer of summaries.
    pub(crate) fn has_summaries(&self) -> bool {
        self.facts().summaries
    }

    /// Whether it reads or writes variables.
    pub(crate) fn names_variables(&self) -> bool {
        let facts = self.facts();
        !facts.reads.is_empty() || !facts.writes.is_empty()
    }

    /// Whether it is known to be valid as a called graph, with its own table of variables.
    pub(super) fn is_valid(&self) -> bool {
        self.0.is_valid.load(Ordering::Relaxed)
    }

    /// Records that it is valid.
    pub(super) fn note_valid(&self) {
        self.0.is_valid.store(true, Ordering::Relaxed);
    }

    /// Whether its types are known to fit as those of a subgraph, of the graph around it with its table of variables.
    pub(super) fn fits(&self) -> bool {
        self.0.fits.load(Ordering::Relaxed)
    }

    /// Records that its types fit as those of a subgraph.
    pub(crate) fn note_fits(&self) {
        self.0.fits.store(true, Ordering::Relaxed);
    }

    /// Whether a pass, given by its position, is known to have nothing to do in the graph and the graphs inside it.
    pub(crate) fn is_settled(&self, pass: usize) -> bool {
        self.0.settled.load(Ordering::Relaxed) & (1 << pass) != 0
    }

    /// Records that a pass, given by its position, has nothing to do in the graph and the graphs inside it.
    pub(crate) fn settle(&self, pass: usize) {
        self.0.settled.fetch_or(1 << pass, Ordering::Relaxed);
    }
}

impl Clone for Held {
    fn clone(&self) -> Held {
        self.graph.clone().into()
    }
}

impl From<Graph> for Held {
    fn from(graph: Graph) -> Held {
        Held {
            graph,
            facts: OnceLock::new(),
            is_valid: AtomicBool::new(false),
            fits: AtomicBool::new(false),
            settled: AtomicU64::new(0),
        }
    }
}

impl Drop for Held {
    /// Drops the inner graphs one after the other instead of recursively, so that no depth overflows the stack.
    fn drop(&mut self) {
        let mut pending: Vec<SharedGraph> = self.graph.take_inner();
        while let Some(SharedGraph(graph)) = pending.pop() {
            if let Some(mut last) = Arc::into_inner(graph) {
                pending.extend(last.graph.take_inner());
            }
        }
    }
}

impl Default for SharedGraph {
    /// The empty graph; all default handles share it.
    fn default() -> SharedGraph {
        static EMPTY: LazyLock<SharedGraph> = LazyLock::new(|| Graph::default().into());
        EMPTY.clone()
    }
}

impl From<Graph> for SharedGraph {
    /// A shared graph doesn't grow any more, so it gives back the memory that was set aside for more nodes.
    fn from(mut graph: Graph) -> SharedGraph {
        graph.nodes.shrink_to_fit();
        graph.values.shrink_to_fit();
        SharedGraph(Arc::new(graph.into()))
    }
}

impl Deref for SharedGraph {
    type Target = Graph;

    fn deref(&self) -> &Graph {
        &self.0.graph
    }
}

impl DerefMut for SharedGraph {
    /// A mutable reference to the graph. The cached facts are dropped.
    fn deref_mut(&mut self) -> &mut Graph {
        let held = Arc::make_mut(&mut self.0);
        held.facts = OnceLock::new();
        held.is_valid = AtomicBool::new(false);
        held.fits = AtomicBool::new(false);
        held.settled = AtomicU64::new(0);
        &mut held.graph
    }
}

impl PartialEq for SharedGraph {
    fn eq(&self, other: &SharedGraph) -> bool {
        self.is_same(other) || **self == **other
    }
}

impl fmt::Debug for SharedGraph {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}
