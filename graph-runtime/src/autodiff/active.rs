//! Finds the states of a loop through which derivatives flow. A state may depend on another one only in a later iteration, so the
//! body is examined until nothing is added.

use super::sweep::is_differentiable;
use crate::graph::{Graph, Node, Op, TensorType, VariableId};

/// The states through which gradients flow: in some iteration they depend on a source, and the results depend on them.
pub(super) fn active_states(
    body: &Graph,
    mut varied: Vec<bool>,
    mut reached: Vec<bool>,
    variables: &[(VariableId, TensorType)],
) -> Vec<bool> {
    loop {
        let forward = outputs_that_vary(body, &varied, variables);
        let backward = inputs_that_reach(body, &reached);
        let mut changed = false;
        for i in 0..reached.len() {
            changed |= forward[i] && !varied[i] || backward[i] && !reached[i];
            varied[i] |= forward[i];
            reached[i] |= backward[i];
        }
        if !changed {
            break;
        }
    }
    let float = |i: usize| is_differentiable(body.ty(body.inputs[i]).dtype);
    (0..reached.len())
        .map(|i| varied[i] && reached[i] && float(i))
        .collect()
}

/// Whether gradients may flow through a node.
fn lets_through(node: &Node) -> bool {
    match &node.op {
        Op::Primitive(op, _) => super::rules::rule(op).is_some(),
        _ => true,
    }
}

/// The outputs that depend on the varying inputs or on the variables.
pub(super) fn outputs_that_vary(
    body: &Graph,
    inputs: &[bool],
    variables: &[(VariableId, TensorType)],
) -> Vec<bool> {
    let mut varied = vec![false; body.values.len()];
    for (input, varies) in body.inputs.iter().zip(inputs) {
        varied[input.index()] = *varies;
    }
    for node in &body.nodes {
        let reads = node.inputs.iter().any(|v| varied[v.index()]);
        let names = || variables.iter().any(|(id, _)| node.op.reads(*id));
        if lets_through(node) && (reads || names()) {
            for output in &node.outputs {
                varied[output.index()] = is_differentiable(body.ty(*output).dtype);
            }
        }
    }
    body.outputs.iter().map(|v| varied[v.index()]).collect()
}

/// The inputs on which the relevant outputs depend.
fn inputs_that_reach(body: &Graph, outputs: &[bool]) -> Vec<bool> {
    let mut reached = vec![false; body.values.len()];
    for (output, reaches) in body.outputs.iter().zip(outputs) {
        reached[output.index()] |= *reaches;
    }
    for node in body.nodes.iter().rev() {
        if lets_through(node) && node.outputs.iter().any(|v| reached[v.index()]) {
            node.inputs.iter().for_each(|v| reached[v.index()] = true);
        }
    }
    body.inputs.iter().map(|v| reached[v.index()]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_state_that_becomes_two_others_is_active() {
        let body: Graph = "graph (a: float32[], b: float32[], c: float32[]) -> (float32[], float32[], float32[]) {
          y = mul(c, c) : float32[]
          return y, y, c
        }"
        .parse()
        .expect("a graph");
        let (varied, reached) = ([false, false, true], [true, true, false]);
        let active = active_states(&body, varied.to_vec(), reached.to_vec(), &[]);
        assert_eq!(active, [true; 3]);
    }

    #[test]
    fn a_state_that_only_an_op_without_gradient_reads_is_not_active() {
        let body: Graph = "graph (a: float32[], b: float32[]) -> (float32[], float32[]) {
          rounded = floor(a) : float32[]
          c = add(b, rounded) : float32[]
          return a, c
        }"
        .parse()
        .expect("a graph");
        let active = active_states(&body, vec![true, true], vec![false, true], &[]);
        assert_eq!(active, [false, true]);
    }

    #[test]
    fn a_state_that_only_later_iterations_add_to_the_result_is_active() {
        let body: Graph = "graph (a: float32[], b: float32[], c: float32[], d: float32[]) -> (float32[], float32[], float32[], float32[]) {
          sum = add(c, b) : float32[]
          return a, a, sum, d
        }"
        .parse()
        .expect("a graph");
        let (varied, reached) = ([true, false, false, true], [false, false, true, false]);
        let active = active_states(&body, varied.to_vec(), reached.to_vec(), &[]);
        assert_eq!(active, [true, true, true, false]);
    }
}
