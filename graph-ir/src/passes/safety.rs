//! Which nodes can't fail: those may be left out where their result doesn't matter after all, and run where they
//! would not have run. Anything that isn't known to be safe counts as unsafe.

use crate::graph::fusion::element;
use crate::graph::{Graph, Node, Op};
use crate::ops::Fails;

/// True if a node of a verified graph can't fail and has no effect.
pub(crate) fn never_fails(graph: &Graph, node: &Node) -> bool {
    let Op::Primitive(op, _) = &node.op else {
        return matches!(node.op, Op::Constant(_) | Op::ReadVariable(_));
    };
    if let Some(function) = element(graph, node) {
        let dtype = node.inputs.last().map(|v| graph.ty(*v).dtype);
        return dtype.is_some_and(|dtype| function.is_total(dtype))
            && (shapes_are_known(graph, node) || arrays_broadcast(graph, node));
    }
    match op.fails {
        Fails::Never => true,
        Fails::OnShapes => shapes_are_known(graph, node),
        Fails::OnValues => op.reduction.is_some() && shapes_are_known(graph, node),
    }
}

/// True if the verifier has checked all shapes already.
fn shapes_are_known(graph: &Graph, node: &Node) -> bool {
    let mut shapes = node.inputs.iter().map(|v| &graph.ty(*v).shape);
    shapes.all(|shape| shape.to_known().is_some())
}

/// True if the operands broadcast whatever their shapes are: there is one array, and scalars.
fn arrays_broadcast(graph: &Graph, node: &Node) -> bool {
    let mut arrays = node
        .inputs
        .iter()
        .filter(|v| graph.ty(**v).shape.rank() != Some(0));
    let first = arrays.next();
    arrays.all(|v| Some(v) == first)
}
