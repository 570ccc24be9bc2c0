//! Graphs that nodes hold: subgraphs and called graphs.

use std::fmt;
use std::ops::{Deref, DerefMut};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use smallvec::SmallVec;

use super::ir::{Graph, VariableId};
use super::steps;

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
#[derive(Clone, Default)]
pub struct SharedGraph(Arc<Held>);

#[derive(Default)]
struct Held {
    graph: Graph,
    facts: OnceLock<Facts>,
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
            ..Facts::default()
        };
        for node in &graph.nodes {
            facts.effect |= node.op.has_effect();
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
    pub(crate) fn as_ptr(&self) -> *const Graph {
        &raw const self.0.graph
    }

    pub(super) fn facts(&self) -> &Facts {
        self.0.facts.get_or_init(|| Facts::of(&self.0.graph))
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
            ..Held::default()
        }
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
