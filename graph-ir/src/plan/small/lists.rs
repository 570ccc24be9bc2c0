//! The lists that a region writes. In the graph a list is a value, and a write gives a new one. In a graph of scalars one input
//! stands for the list, and each write changes it. So a write makes the values before it stale, and a region that reads a stale value isn't
//! split.

use graph_kernels::Dims;

use crate::graph::{Graph, Node, Op, ValueId};
use crate::ops;

/// A value that is a list.
#[derive(Clone, Copy)]
pub(super) struct List {
    /// The input that stands for the list in the graph of scalars.
    pub input: ValueId,
    /// Which list it is.
    pub number: usize,
    /// Which of the list's values it is.
    version: usize,
}

impl List {
    /// The same value in a subgraph, where another input stands for the list.
    pub fn at(self, input: ValueId) -> List {
        List { input, ..self }
    }
}

/// The lists of a region.
#[derive(Clone, Default)]
pub(super) struct Lists {
    /// The latest version of each list.
    versions: Vec<usize>,
    /// The shape of each list's rows, once a write or a read tells it.
    rows: Vec<Option<Dims>>,
    /// The number of versions of all lists so far.
    made: usize,
}

impl Lists {
    /// Adds a list, for which this input stands.
    pub fn begin(&mut self, input: ValueId) -> List {
        self.made += 1;
        self.versions.push(self.made);
        self.rows.push(None);
        List {
            input,
            number: self.versions.len() - 1,
            version: self.made,
        }
    }

    /// `None` if the value is stale.
    pub fn fresh(&self, list: List) -> Option<List> {
        (self.versions[list.number] == list.version).then_some(list)
    }

    /// The latest value of the list of which this is some value.
    pub fn latest(&self, list: List) -> List {
        List {
            version: self.versions[list.number],
            ..list
        }
    }

    /// Makes the value stale, and returns the next one.
    pub fn written(&mut self, list: List) -> Option<List> {
        self.fresh(list)?;
        self.stale(list.number);
        Some(self.latest(list))
    }

    fn stale(&mut self, number: usize) {
        self.made += 1;
        self.versions[number] = self.made;
    }

    /// Notes the shape of a list's rows; `None` if it had another one.
    pub fn has_rows(&mut self, list: List, row: &Dims) -> Option<()> {
        let known = self.rows[list.number].get_or_insert_with(|| row.clone());
        (known == row).then_some(())
    }

    /// The shapes of the rows of all lists; `None` if one isn't known.
    pub fn rows(self) -> Option<Vec<Dims>> {
        self.rows.into_iter().collect()
    }

    /// True if a list has been written since.
    pub fn changed_since(&self, before: &Lists, number: usize) -> bool {
        self.versions[number] != before.versions[number]
    }

    /// These lists at the versions of another state: that before a branch, where another branch begins, too.
    pub fn with_versions_of(&self, other: &Lists) -> Lists {
        Lists {
            versions: other.versions.clone(),
            ..self.clone()
        }
    }

    /// Joins the state after another branch; `before` was the state before both. What either has written is stale.
    pub fn join(&mut self, other: &Lists, before: &Lists) {
        for number in 0..before.versions.len() {
            if other.changed_since(before, number) {
                self.stale(number);
            }
        }
    }
}

/// Whether a node writes to the list that is its operand at a position.
pub(super) fn is_written(node: &Node, position: usize) -> bool {
    match &node.op {
        Op::Primitive(op, _) => **op == ops::LIST_WRITE && position == 0,
        Op::WhileLoop { body, .. } => position < node.outputs.len() && writes_input(body, position),
        Op::Cond { .. } | Op::SwitchCase { .. } => {
            let branches = node.op.subgraphs();
            position > 0
                && branches
                    .iter()
                    .any(|graph| writes_input(graph, position - 1))
        }
        Op::Call { graph, .. } | Op::Fusion { body: graph } => writes_input(graph, position),
        _ => false,
    }
}

fn writes_input(graph: &Graph, position: usize) -> bool {
    let Some(list) = graph.inputs.get(position) else {
        return false;
    };
    graph.nodes.iter().any(|node| {
        let mut inputs = node.inputs.iter().enumerate();
        inputs.any(|(position, value)| value == list && is_written(node, position))
    })
}
