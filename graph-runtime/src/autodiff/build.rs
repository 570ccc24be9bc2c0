//! Constructors for nodes that aren't traced: they build the subgraphs of backward control flow.

use std::sync::Arc;

use graph_kernels::Array;

use super::term::{ints, scalar};
use crate::graph::{Graph, Node, Op, Shape, TensorType, ValueId};
use crate::ops::{self, Attr, Attrs, OpDef};

/// Adds a constant, with the location of a node.
pub(super) fn constant(graph: &mut Graph, array: Array, node: &Node) -> ValueId {
    let ty = TensorType::of_array(&array);
    let op = Op::Constant(Arc::new(array));
    graph.add_node(op, vec![], vec![ty], node.location.clone())[0]
}

/// Adds zeros of a type; unknown sizes become 0.
pub(super) fn zeros(graph: &mut Graph, ty: &TensorType, node: &Node) -> ValueId {
    let zero = constant(graph, Array::zeros(ty.dtype, &[]), node);
    let Some(dims @ [_, ..]) = ty.shape.dims() else {
        return zero;
    };
    let sizes = dims.iter().map(|size| size.unwrap_or(0) as i64);
    let attrs = Attrs::new().with("shape", Attr::Ints(sizes.collect()));
    primitive(graph, &ops::FILL, attrs, vec![zero], node)
}

/// Adds a primitive whose operands fit.
pub(super) fn primitive(
    graph: &mut Graph,
    op: &'static OpDef,
    attrs: Attrs,
    inputs: Vec<ValueId>,
    node: &Node,
) -> ValueId {
    let types: Vec<TensorType> = inputs.iter().map(|v| graph.ty(*v).clone()).collect();
    let ty = (op.infer)(&types, &attrs)
        .unwrap_or_else(|_| TensorType::new(types[0].dtype, Shape::unknown()));
    graph.add_node(
        Op::Primitive(op, attrs),
        inputs,
        vec![ty],
        node.location.clone(),
    )[0]
}

/// The value, with exactly this static type.
pub(super) fn of_type(graph: &mut Graph, value: ValueId, ty: &TensorType, node: &Node) -> ValueId {
    if graph.ty(value) == ty {
        return value;
    }
    let attrs = Attrs::new().with("shape", Attr::Shape(ty.shape.clone()));
    primitive(graph, &ops::RELAX_SHAPE, attrs, vec![value], node)
}

/// The operands, with the static types of a graph's inputs.
pub(super) fn exact(
    graph: &mut Graph,
    operands: &[ValueId],
    inner: &Graph,
    node: &Node,
) -> Vec<ValueId> {
    let types = inner.inputs.iter().map(|v| inner.ty(*v));
    operands
        .iter()
        .zip(types)
        .map(|(v, ty)| match ty.covers(graph.ty(*v)) {
            true => *v,
            false => of_type(graph, *v, ty, node),
        })
        .collect()
}

/// Zeros of the shape of a value.
pub(super) fn zeros_like(graph: &mut Graph, like: ValueId, node: &Node) -> ValueId {
    let ty = graph.ty(like).clone();
    let zero = constant(graph, scalar(ty.dtype, 0.0), node);
    match ty.shape.to_known() {
        Some(sizes) => {
            let attrs = Attrs::new().with("shape", ints(&sizes));
            primitive(graph, &ops::FILL, attrs, vec![zero], node)
        }
        None => {
            let sizes = primitive(graph, &ops::SHAPE_OF, Attrs::new(), vec![like], node);
            let zeros = primitive(graph, &ops::FILL_TO, Attrs::new(), vec![zero, sizes], node);
            of_type(graph, zeros, &ty, node)
        }
    }
}
