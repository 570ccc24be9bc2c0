//! Calls and fusions are differentiated by inlining them: the nodes of their graph replace them.

use crate::graph::{Graph, Node, Op, ValueId, VariableId};
use crate::ops::{self, Attr, Attrs};
use crate::trace;

/// Replaces a call or a fusion by its nodes, and returns their number.
pub(super) fn inline_at(level: usize, position: usize) -> usize {
    trace::with_trace(|trace| {
        let graph = &mut trace.builders[level].graph;
        let node = graph.nodes[position].clone();
        let nodes = expand(graph, &node);
        let count = nodes.len();
        graph.nodes.splice(position..=position, nodes);
        count
    })
}

/// Inserts a copy of the called graph's nodes after the call. Returns the outputs of the call, the corresponding values of the
/// copy, and the number of nodes.
pub(super) fn copy_behind(
    level: usize,
    position: usize,
    called: Graph,
) -> (Vec<ValueId>, Vec<ValueId>, usize) {
    trace::with_trace(|trace| {
        let graph = &mut trace.builders[level].graph;
        let node = graph.nodes[position].clone();
        let mut copy = node.clone();
        if let Op::Call { graph, .. } = &mut copy.op {
            *graph = called.into();
        }
        for output in &mut copy.outputs {
            let value = graph.values[output.index()].clone();
            *output = graph.add_value(value.ty, value.name);
        }
        let nodes = expand(graph, &copy);
        let count = nodes.len();
        graph.nodes.splice(position + 1..position + 1, nodes);
        (node.outputs, copy.outputs, count)
    })
}

/// Inlines calls of functions for which `is` holds, unless they have a gradient of their own.
pub(super) fn calls(graph: &mut Graph, is: &impl Fn(&Op) -> bool) {
    let is_wanted =
        |op: &Op| matches!(op, Op::Call { graph, .. } if graph.derivation.is_none()) && is(op);
    while let Some(at) = graph.nodes.iter().position(|node| is_wanted(&node.op)) {
        let node = graph.nodes[at].clone();
        let nodes = expand(graph, &node);
        graph.nodes.splice(at..=at, nodes);
    }
}

/// The nodes of a called or fused graph, renamed so that they define the outer node's outputs.
pub(super) fn expand(graph: &mut Graph, node: &Node) -> Vec<Node> {
    let inner = match &node.op {
        Op::Call {
            graph: callee,
            variables,
            ..
        } => {
            let mut callee = (**callee).clone();
            for inner in &mut callee.nodes {
                let mut outer = |id: &mut VariableId| *id = variables[id.index()];
                inner.op.visit_variables_mut(&mut outer);
            }
            callee
        }
        Op::Fusion { body } => (**body).clone(),
        _ => return vec![node.clone()],
    };
    let mut map: Vec<Option<ValueId>> = vec![None; inner.values.len()];
    for (own, given) in inner.inputs.iter().zip(&node.inputs) {
        map[own.index()] = Some(*given);
    }
    // A value that is an output keeps the name of the outer output; if it is several outputs, that of the first.
    for (own, given) in inner.outputs.iter().zip(&node.outputs) {
        map[own.index()].get_or_insert(*given);
    }
    let mut nodes = Vec::with_capacity(inner.nodes.len());
    for own in &inner.nodes {
        let mut own = own.clone();
        for v in own.inputs.iter_mut().chain(&mut own.outputs) {
            let value = &inner.values[v.index()];
            let outer = &mut map[v.index()];
            *v =
                *outer.get_or_insert_with(|| graph.add_value(value.ty.clone(), value.name.clone()));
        }
        nodes.push(own);
    }
    for (own, given) in inner.outputs.iter().zip(&node.outputs) {
        let value = map[own.index()].expect("a verified graph defines its outputs");
        if value != *given {
            nodes.push(identity(graph, value, *given, node));
        }
    }
    nodes
}

/// A node that copies a value.
fn identity(graph: &Graph, value: ValueId, copy: ValueId, node: &Node) -> Node {
    let shape = graph.ty(copy).shape.clone();
    Node {
        op: Op::Primitive(
            &ops::RELAX_SHAPE,
            Attrs::new().with("shape", Attr::Shape(shape)),
        ),
        inputs: vec![value],
        outputs: vec![copy],
        location: node.location.clone(),
    }
}
