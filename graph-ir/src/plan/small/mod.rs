//! Small tensors as scalars. A loop over tensors of a few values, such as a step of an ODE of two variables, becomes a graph in which each
//! of these values is a scalar. So the whole loop is one word program, and its state stays in registers.
//!
//! - [`regions`] finds sequences of nodes that contain such a loop;
//! - `split` writes the graph of scalars, with `flow` for branches and loops;
//! - `elements` does it for one op, `products` for products of small matrices, `systems` for systems of equations;
//! - `lists` knows which values are lists that a region writes at positions.

mod elements;
mod flow;
mod lists;
mod products;
mod split;
mod systems;

use std::ops::Range;

use graph_kernels::{DType, Dims};
use rustc_hash::FxHashMap;

pub(super) use self::split::{Escape, Fragment, Role, split};
use super::word_nodes::{self, can_run, sequences};
use crate::graph::{Graph, Node, Op, TensorType, ValueId, steps};
use crate::ops;
use crate::types::SMALL;

/// The sizes of a small tensor; `None` for other types.
fn dims(ty: &TensorType) -> Option<Dims> {
    let dims = ty.shape.to_known()?;
    let is_word = ty.dtype != DType::Str;
    (is_word && (1..=SMALL).contains(&dims.iter().product())).then(|| dims.into_iter().collect())
}

/// For each graph that was checked, whether all its nodes may become scalars. It keeps nested graphs from being checked again at each level.
pub(super) type Known = FxHashMap<*const Graph, bool>;

/// The longest sequences of nodes that may become scalars, and that contain a loop which word programs can't run as it is.
pub(super) fn regions(
    graph: &Graph,
    words: &mut word_nodes::Known,
    known: &mut Known,
) -> Vec<Range<usize>> {
    let is_loop = |node: &Node| matches!(node.op, Op::WhileLoop { .. });
    if !graph.nodes.iter().any(is_loop) {
        return Vec::new();
    }
    let mut regions = sequences(graph, |node| may_split(graph, node, known));
    regions.retain(|region| {
        let mut nodes = graph.nodes[region.clone()].iter();
        nodes.any(|node| is_loop(node) && !can_run(graph, node, words))
    });
    regions
}

/// Whether a node may become nodes of scalars, by its op and its types.
fn may_split(graph: &Graph, node: &Node, known: &mut Known) -> bool {
    steps::count(1);
    let is_word = |value: &ValueId| graph.ty(*value).dtype != DType::Str;
    let is_small = |value: &ValueId| dims(graph.ty(*value)).is_some();
    let gives_lists = match &node.op {
        Op::Primitive(op, _) => **op == ops::LIST_WRITE,
        op => !op.inner().is_empty(),
    };
    // What else an operand or a result may be, splitting finds out.
    if !node.inputs.iter().all(is_word)
        || !node
            .outputs
            .iter()
            .all(|value| is_word(value) && (gives_lists || is_small(value)))
    {
        return false;
    }
    match &node.op {
        Op::Constant(_) | Op::Assert(_) => true,
        Op::Primitive(op, attrs) => {
            let rows = elements::takes_rows(op).then_some(0);
            let mut inputs = node.inputs.iter().enumerate();
            elements::can_split(op, attrs) && inputs.all(|(i, v)| is_small(v) || rows == Some(i))
        }
        Op::ReadVariable(_) => false,
        Op::Call { variables, .. } if !variables.is_empty() => false,
        op if op.is_effect() => false,
        op => op
            .inner()
            .into_iter()
            .all(|graph| all_may_split(graph, known)),
    }
}

fn all_may_split(graph: &Graph, known: &mut Known) -> bool {
    if let Some(may) = known.get(&std::ptr::from_ref(graph)) {
        return *may;
    }
    let may = graph.nodes.iter().all(|node| may_split(graph, node, known));
    known.insert(graph, may);
    may
}

#[cfg(test)]
mod list_tests;
#[cfg(test)]
mod tests;
