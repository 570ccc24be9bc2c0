//! Graphs that nodes hold: subgraphs and called graphs.

use std::fmt;
use std::ops::{Deref, DerefMut};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, LazyLock, OnceLock};

use smallvec::SmallVec;

use super::ir::{Graph, VariableId};
use crate::steps;

/// A graph that several nodes may hold. A copy of a node shares it, so that copies of deep graphs cost nothing; it is copied itself where
/// one of them changes it. What is asked about it again and again is found once.
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
    /// Whether it is known to verify, as a called graph.
    is_valid: AtomicBool,
    /// A bit for each pass that has nothing to do in the graph and what is inside it.
    settled: AtomicU64,
}

/// What is known of a graph and all that is inside it.
#[derive(Default)]
pub(super) struct Facts {
    /// Whether running it can be seen from outside ([`Graph::has_effect`]).
    pub effect: bool,
    /// See [`Graph::directs_gradients`].
    pub directs_gradients: bool,
    /// See [`Graph::has_bodies`].
    pub has_bodies: bool,
    /// How many nodes there are in it and in what is inside it or called, each as often as it is.
    pub size: usize,
    /// See [`Graph::depth`].
    pub depth: usize,
    /// The variables that it reads, in its table.
    pub reads: Variables,
    /// The variables that it writes, in its table.
    pub writes: Variables,
}

/// In order, each once.
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
    /// Whether both are one graph in memory.
    pub fn is_same(&self, other: &SharedGraph) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// Where the graph is in memory.
    pub fn as_ptr(&self) -> *const Graph {
        &raw const self.0.graph
    }

    /// What is known of it. Inner graphs are asked first, on a list of them, however deep they nest.
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

    /// Whether it reads or writes variables.
    pub(crate) fn names_variables(&self) -> bool {
        let facts = self.facts();
        !facts.reads.is_empty() || !facts.writes.is_empty()
    }

    /// Whether it is known to verify with a table of variables of its own.
    pub(super) fn is_valid(&self) -> bool {
        self.0.is_valid.load(Ordering::Relaxed)
    }

    /// Notes that it verifies.
    pub(super) fn note_valid(&self) {
        self.0.is_valid.store(true, Ordering::Relaxed);
    }

    /// Whether a pass, by its position, is known to have nothing to do in the graph and what is inside it.
    pub(crate) fn is_settled(&self, pass: usize) -> bool {
        self.0.settled.load(Ordering::Relaxed) & (1 << pass) != 0
    }

    /// Notes that a pass, by its position, has nothing to do in the graph and what is inside it.
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
            settled: AtomicU64::new(0),
        }
    }
}

impl Drop for Held {
    /// The graphs inside go one after the other and not each within the one around it, so that the stack has room for any depth.
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
    /// The empty graph, which is there once.
    fn default() -> SharedGraph {
        static EMPTY: LazyLock<SharedGraph> = LazyLock::new(|| Graph::default().into());
        EMPTY.clone()
    }
}

impl From<Graph> for SharedGraph {
    fn from(graph: Graph) -> SharedGraph {
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
    /// What was known of the graph is forgotten.
    fn deref_mut(&mut self) -> &mut Graph {
        let held = Arc::make_mut(&mut self.0);
        held.facts = OnceLock::new();
        held.is_valid = AtomicBool::new(false);
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
