//! Which parts of a graph become word programs: runs of nodes whose values are all scalars of numbers and truth values,
//! control flow included, and which read arrays only value by value.

use std::ops::Range;

use graph_kernels::DType;
use rustc_hash::FxHashMap;

use crate::graph::{Graph, Node, Op, TensorType, ValueId, steps};
use crate::ops;

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

/// True for the types of values that are words: scalars, but for strings.
fn is_word(ty: &TensorType) -> bool {
    ty.shape.rank() == Some(0) && ty.dtype != DType::Str
}

/// True for the types of arrays whose values are words.
fn is_row(ty: &TensorType) -> bool {
    ty.shape.rank() == Some(1) && ty.dtype != DType::Str
}

/// Whether word programs can run all nodes of a graph, of those that were asked about: what is inside others is asked about at each level.
pub(super) type Known = FxHashMap<*const Graph, bool>;

fn can_run(graph: &Graph, node: &Node, known: &mut Known) -> bool {
    steps::count(1);
    let types = |values: &[ValueId], fits: fn(&TensorType) -> bool| {
        values.iter().all(|v| fits(graph.ty(*v)))
    };
    if !types(&node.outputs, is_word) {
        return false;
    }
    let word_or_row = |ty: &TensorType| is_word(ty) || is_row(ty);
    match &node.op {
        Op::Constant(_) => true,
        Op::Primitive(op, attrs) => {
            let words = types(&node.inputs, is_word);
            let reads = matches!(node.inputs.as_slice(), [row, index]
                if is_row(graph.ty(*row)) && is_word(graph.ty(*index)));
            match (op.element)(attrs) {
                Some(element) => {
                    let dtypes: Vec<DType> =
                        node.inputs.iter().map(|v| graph.ty(*v).dtype).collect();
                    words && element.output(&dtypes).is_ok()
                }
                None if *op == &ops::INDEX => reads,
                None => *op == &ops::RELAX_SHAPE && words,
            }
        }
        Op::Assert(_) => types(&node.inputs[..1], is_word) && types(&node.inputs, word_or_row),
        Op::Fusion { body } => types(&node.inputs, is_word) && all_can(body, known),
        Op::ReadVariable(_) => false,
        op if op.is_effect() => false,
        // Control flow and calls.
        op => {
            let mut inside = op.inner().into_iter();
            types(&node.inputs, word_or_row) && inside.all(|graph| all_can(graph, known))
        }
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
