//! Reads of variables as operands. A variable that a loop or a called function reads and doesn't write is read before it, and its value is passed.
//! So a gradient has the value that was there, whatever the variable is given before the gradient runs, and a loop needn't save the value in each
//! iteration.

use std::iter::repeat_n;

use super::inline;
use super::sweep::Sweep;
use crate::graph::{Graph, Node, Op, TensorType, ValueId, VariableId};
use crate::trace;

/// Turns the reads of the variables that a graph doesn't write into additional inputs at its end. Returns the variable of each of them.
pub(super) fn as_inputs(graph: &mut Graph) -> Vec<VariableId> {
    let all = (0..graph.variables.len() as u32).map(VariableId);
    let read: Vec<VariableId> = all.filter(|id| only_read(&graph.nodes, *id)).collect();
    let mut inputs = Vec::new();
    for id in read {
        let ty = graph.variables[id.index()].ty.clone();
        let count = take(graph, id, &ty);
        inputs.extend(repeat_n(id, count));
    }
    inputs
}

/// Reads the variables that a loop doesn't write before the loop, which is at a position. Returns the number of nodes that were inserted there.
pub(super) fn before_loop(sweep: &mut Sweep, level: usize, position: usize) -> usize {
    let inserted = trace::with_trace(|trace| {
        let variables = trace.builders[0].graph.variables.clone();
        let graph = &mut trace.builders[level].graph;
        let mut node = graph.nodes[position].clone();
        let mut reads = Vec::new();
        for (id, variable) in (0..).map(VariableId).zip(variables) {
            if !only_read(std::slice::from_ref(&node), id) {
                continue;
            }
            let value = graph.add_value(variable.ty.clone(), None);
            pass(&mut node, (id, &variable.ty), value);
            reads.push(Node {
                op: Op::ReadVariable(id),
                inputs: Vec::new(),
                outputs: vec![value],
                location: node.location.clone(),
            });
        }
        let count = reads.len();
        graph.nodes[position] = node;
        graph.nodes.splice(position..position, reads);
        count
    });
    sweep.grown(level, inserted);
    sweep.vary_again(level, position, inserted);
    inserted
}

/// Whether some nodes read a variable and don't write it, and no call must read it itself.
fn only_read(nodes: &[Node], id: VariableId) -> bool {
    let is_read = nodes.iter().any(|node| node.op.reads(id));
    is_read
        && !nodes
            .iter()
            .any(|node| node.op.writes(id) || keeps(&node.op, id))
}

/// Whether an op, or one inside it, calls a function with a gradient of its own that reads a variable: such a call stays as it is.
fn keeps(op: &Op, id: VariableId) -> bool {
    match op {
        Op::Call { graph, .. } if graph.derivation.is_some() => op.reads(id),
        Op::Call {
            graph, variables, ..
        } => {
            let mut own = (0..).map(VariableId).zip(variables);
            own.any(|(own, outer)| *outer == id && graph.nodes.iter().any(|n| keeps(&n.op, own)))
        }
        op => {
            let mut inner = op.subgraphs().into_iter().flat_map(|graph| &graph.nodes);
            inner.any(|node| keeps(&node.op, id))
        }
    }
}

/// Turns the reads of a variable into inputs at the end of a graph, and returns their number. All of them are given the same value.
fn take(graph: &mut Graph, id: VariableId, ty: &TensorType) -> usize {
    inline::calls(graph, &|op| op.reads(id));
    let before = graph.inputs.len();
    let Graph { nodes, inputs, .. } = graph;
    nodes.retain(|node| {
        let is_read = matches!(node.op, Op::ReadVariable(variable) if variable == id);
        if is_read {
            inputs.extend(&node.outputs);
        }
        !is_read
    });
    if graph.nodes.iter().any(|node| node.op.reads(id)) {
        let value = match graph.inputs.get(before) {
            Some(value) => *value,
            None => graph.add_input(ty.clone(), None),
        };
        for node in graph.nodes.iter_mut().filter(|node| node.op.reads(id)) {
            pass(node, (id, ty), value);
        }
    }
    graph.inputs.len() - before
}

/// Passes the value of a variable to the subgraphs of a node that read it.
fn pass(node: &mut Node, (id, ty): (VariableId, &TensorType), value: ValueId) {
    let mut most = 0;
    let mut counts = Vec::new();
    for graph in node.op.subgraphs_mut() {
        let count = take(graph, id, ty);
        most = most.max(count);
        counts.push(count);
    }
    node.inputs.extend(repeat_n(value, most));
    // All subgraphs have the same operands.
    for (graph, count) in node.op.subgraphs_mut().into_iter().zip(counts) {
        for _ in count..most {
            graph.add_input(ty.clone(), None);
        }
    }
}
