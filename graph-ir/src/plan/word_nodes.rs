//! Which nodes become word programs: sequences of nodes whose results are all numeric or boolean scalars, including control
//! flow, and which read arrays only one value at a time.

use std::ops::Range;

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::words::{Word, WordOp};
use crate::graph::{Graph, Node, Op, ValueId, steps};
use crate::passes::never_fails;

/// The longest sequences of nodes that word programs can run. Each contains at least one node that isn't a constant.
pub(super) fn regions(graph: &Graph, known: &mut Known) -> Vec<Range<usize>> {
    let mut regions = sequences(graph, |node| can_run(graph, node, known));
    let does_something = |i: usize| !matches!(graph.nodes[i].op, Op::Constant(_));
    regions.retain(|region| region.clone().any(does_something));
    regions
}

/// The longest sequences of nodes for which `holds` is true.
pub(super) fn sequences(graph: &Graph, mut holds: impl FnMut(&Node) -> bool) -> Vec<Range<usize>> {
    let mut sequences: Vec<Range<usize>> = Vec::new();
    for (i, node) in graph.nodes.iter().enumerate() {
        if !holds(node) {
            continue;
        }
        match sequences.last_mut() {
            Some(last) if last.end == i => last.end += 1,
            _ => sequences.push(i..i + 1),
        }
    }
    sequences
}

/// The loops of some sequences of nodes, each on its own.
pub(super) fn each_loop(graph: &Graph, regions: Vec<Range<usize>>) -> Vec<Range<usize>> {
    let nodes = regions.into_iter().flatten();
    let loops = nodes.filter(|i| is_loop(&graph.nodes[*i]));
    loops.map(|i| i..i + 1).collect()
}

/// The loops of some sequences of nodes, each on its own, and between them the sequences of several nodes that can't fail, which may be computed in any
/// order.
pub(super) fn apart(graph: &Graph, regions: Vec<Range<usize>>) -> Vec<Range<usize>> {
    let mut parts: Vec<Range<usize>> = Vec::new();
    for region in regions {
        let mut begun: Option<usize> = None;
        for i in region.clone() {
            let node = &graph.nodes[i];
            if never_fails(graph, node) {
                begun.get_or_insert(i);
                continue;
            }
            parts.extend(begun.take().map(|start| start..i));
            parts.extend(is_loop(node).then_some(i..i + 1));
        }
        parts.extend(begun.map(|start| start..region.end));
    }
    let computes = |i: &usize| !matches!(graph.nodes[*i].op, Op::Constant(_));
    parts.retain(|part| {
        is_loop(&graph.nodes[part.start]) || part.clone().filter(computes).count() > 1
    });
    parts
}

/// Whether a node is a loop.
pub(super) fn is_loop(node: &Node) -> bool {
    matches!(node.op, Op::WhileLoop { .. })
}

/// For each graph that was checked, whether word programs can run all its nodes. It keeps nested graphs from being checked again at each level.
pub(super) type Known = FxHashMap<*const Graph, bool>;

pub(super) fn can_run(graph: &Graph, node: &Node, known: &mut Known) -> bool {
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
        // Control flow and calls, which lowering turns into jumps.
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
