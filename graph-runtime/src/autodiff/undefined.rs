//! An undefined value has no contents, and need not even have the size that its type says. In the forward graph of a split it
//! becomes zeros. It may be saved: all rows of a stack need the same shape, and the backward graph reads what was saved.

use graph_kernels::Array;
use smallvec::SmallVec;

use super::build::constant;
use crate::graph::{Graph, Op};
use crate::ops::{self, Attr, Attrs};

/// Replaces undefined values of known shape by zeros.
pub(super) fn define(graph: &mut Graph) {
    let count = graph.nodes.len();
    for at in 0..count {
        if let Some(sizes) = sizes(&graph.nodes[at].op) {
            let node = graph.nodes[at].clone();
            let dtype = graph.ty(node.outputs[0]).dtype;
            let zero = constant(graph, Array::zeros(dtype, &[]), &node);
            let sizes = sizes.iter().map(|n| *n as i64).collect();
            let attrs = Attrs::new().with("shape", Attr::Ints(sizes));
            graph.nodes[at].op = Op::Primitive(&ops::FILL, attrs);
            graph.nodes[at].inputs = vec![zero];
        }
        let op = &mut graph.nodes[at].op;
        let holds = |graph: &&Graph| graph.any_op(&|op| sizes(op).is_some());
        // Changing a subgraph copies it if it is shared, so unaffected ones are left alone.
        if op.subgraphs().iter().any(holds) {
            op.subgraphs_mut().into_iter().for_each(define);
        }
    }
    // Moves the zeros before the nodes that read them.
    let added = graph.nodes.len() - count;
    graph.nodes.rotate_right(added);
}

/// The sizes of an undefined value, if all are known.
fn sizes(op: &Op) -> Option<SmallVec<[usize; 4]>> {
    match op {
        Op::Primitive(op, attrs) if *op == &ops::UNDEFINED => attrs.shape("shape").ok()?.to_known(),
        _ => None,
    }
}
