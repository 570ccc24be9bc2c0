//! Which parts of a graph become word programs: runs of nodes whose values are all scalars of numbers and truth values,
//! control flow included, and which read arrays only value by value.

use std::ops::Range;

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::words::{Word, WordOp};
use crate::graph::{Graph, Node, Op, ValueId, steps};

/// The longest runs of nodes that word programs can run, each with something to do.
pub(super) fn regions(graph: &Graph, known: &mut Known) -> Vec<Range<usize>> {
    let mut regions: Vec<Range<usize>> = Vec::new();
    for (i, node) in graph.nodes.iter().enumerate() {
        if !can_run(graph, node, known) {
            continue;
        }
        match regions.last_mut() {
            Some(last) if last.end == i => last.end += 1,
            _ => regions.push(i..i + 1),
        }
    }
    let does_something = |i: usize| !matches!(graph.nodes[i].op, Op::Constant(_));
    regions.retain(|region| region.clone().any(does_something));
    regions
}

/// Whether word programs can run all nodes of a graph, of those that were asked about: what is inside others is asked about at each level.
pub(super) type Known = FxHashMap<*const Graph, bool>;

fn can_run(graph: &Graph, node: &Node, known: &mut Known) -> bool {
    steps::count(1);
    let word = |value: &ValueId| Word::of(graph.ty(*value));
    let is_single = |value: &ValueId| matches!(word(value), Some(Word::Single(_)));
    let words: Option<SmallVec<[Word; 3]>> = node.inputs.iter().map(word).collect();
    let Some(words) = words.filter(|_| node.outputs.iter().all(is_single)) else {
        return false;
    };
    match &node.op {
        Op::Constant(_) => true,
        Op::Primitive(op, attrs) => WordOp::of(op, attrs, &words).is_some(),
        Op::Assert(_) => is_single(&node.inputs[0]),
        Op::Fusion { body } => node.inputs.iter().all(is_single) && all_can(body, known),
        Op::ReadVariable(_) => false,
        op if op.is_effect() => false,
        // Control flow and calls, which lowering dissolves.
        op => op.inner().into_iter().all(|graph| all_can(graph, known)),
    }
}

/// True if word programs can run all nodes of a graph.
pub(super) fn all_can(graph: &Graph, known: &mut Known) -> bool {
    if let Some(can) = known.get(&std::ptr::from_ref(graph)) {
        return *can;
    }
    let can = graph.nodes.iter().all(|node| can_run(graph, node, known));
    known.insert(graph, can);
    can
}
