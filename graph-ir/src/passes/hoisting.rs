//! Moves loop-invariant computations out of the loop, and reads of variables that the loop doesn't write. Only nodes that can't
//! fail are moved, because the loop may run no iteration at all.

use std::sync::Arc;

use graph_kernels::Array;

use super::patch::Patch;
use super::rebuild::{Rebuild, constants};
use super::safety::never_fails;
use crate::graph::{Graph, Node, Op, ValueId};

pub(super) fn run(graph: &Graph) -> Option<Patch> {
    Rebuild::loops(graph, |rebuild, node, parts| {
        let invariants = parts.map(|part| Invariants::of(part, &node.op, node.outputs.len()));
        hoist(rebuild, node, parts, &invariants);
        invariants.iter().any(|found| !found.nodes.is_empty())
    })
}

/// The loop-invariant nodes of a loop's condition or body.
struct Invariants<'a> {
    /// Nodes that can be hoisted, in order.
    nodes: Vec<usize>,
    /// For each value, whether such a node defines it.
    values: Vec<bool>,
    constants: Vec<Option<&'a Arc<Array>>>,
}

impl<'a> Invariants<'a> {
    fn of(part: &'a Graph, whole: &Op, state: usize) -> Invariants<'a> {
        let constants = constants(part);
        let mut values = vec![false; part.values.len()];
        let mut nodes = Vec::new();
        for (i, node) in part.nodes.iter().enumerate() {
            let is_known = |v: &ValueId| {
                values[v.index()]
                    || part.inputs[state..].contains(v)
                    || constants[v.index()].is_some()
            };
            // Constant folding handles ops on constants alone; if it left one, the result is large and is better computed inside the loop.
            let from_outside = node.inputs.iter().any(|v| constants[v.index()].is_none());
            let is_invariant = match &node.op {
                Op::Primitive(..) => from_outside && never_fails(part, node),
                // A variable that no iteration writes has the same value in all of them.
                Op::ReadVariable(id) => !whole.writes(*id),
                _ => false,
            };
            if is_invariant && node.inputs.iter().all(is_known) {
                nodes.push(i);
                node.outputs.iter().for_each(|v| values[v.index()] = true);
            }
        }
        Invariants {
            nodes,
            values,
            constants,
        }
    }

    /// The values that the nodes remaining in the loop read.
    fn read<'b>(&'b self, part: &'b Graph) -> impl Iterator<Item = ValueId> + 'b {
        let stays = |i: &usize| self.nodes.binary_search(i).is_err();
        let mut is_read = vec![false; part.values.len()];
        for i in (0..part.nodes.len()).filter(stays) {
            part.nodes[i]
                .inputs
                .iter()
                .for_each(|v| is_read[v.index()] = true);
        }
        part.outputs.iter().for_each(|v| is_read[v.index()] = true);
        let given = self
            .nodes
            .iter()
            .flat_map(|i| part.nodes[*i].outputs.iter().copied());
        given.filter(move |v| is_read[v.index()] && self.values[v.index()])
    }
}

/// Writes the invariant nodes, and the loop with those of their values that it reads as operands.
fn hoist(
    rebuild: &mut Rebuild<'_>,
    node: &Node,
    parts: [&Graph; 2],
    invariants: &[Invariants<'_>; 2],
) {
    let mut inputs = rebuild.all_new_of(&node.inputs);
    let mut hoisted: Vec<(usize, ValueId)> = Vec::new();
    for (part, (graph, found)) in parts.into_iter().zip(invariants).enumerate() {
        let outside = write(rebuild, graph, found, &inputs[..node.inputs.len()]);
        for value in found.read(graph) {
            hoisted.push((part, value));
            inputs.extend(outside[value.index()]);
        }
    }
    let parts = [0, 1].map(|part| {
        let mine = |(from, value): &(usize, ValueId)| (*from == part).then_some(*value);
        let types = hoisted
            .iter()
            .map(|(from, value)| parts[*from].ty(*value).clone());
        let extra = hoisted.iter().map(mine).zip(types);
        let mut graph = parts[part].clone();
        let nodes = std::mem::take(&mut graph.nodes).into_iter().enumerate();
        let stays = |i: usize| invariants[part].nodes.binary_search(&i).is_err();
        graph.nodes = nodes
            .filter(|(i, _)| stays(*i))
            .map(|(_, node)| node)
            .collect();
        for (mine, ty) in extra {
            match mine {
                Some(value) => graph.inputs.push(value),
                None => drop(graph.add_input(ty, None)),
            }
        }
        graph
    });
    rebuild.keep_around(node, parts, inputs);
}

/// Writes the invariant nodes of the condition or body with these operands. Returns the new values, by the old ones.
fn write(
    rebuild: &mut Rebuild<'_>,
    part: &Graph,
    found: &Invariants<'_>,
    operands: &[ValueId],
) -> Vec<Option<ValueId>> {
    let mut outside = vec![None; part.values.len()];
    for (input, operand) in part.inputs.iter().zip(operands) {
        outside[input.index()] = Some(*operand);
    }
    for i in &found.nodes {
        let node = &part.nodes[*i];
        let mut inputs = Vec::with_capacity(node.inputs.len());
        for input in &node.inputs {
            let constant = found.constants[input.index()];
            let value = &mut outside[input.index()];
            if let (None, Some(array)) = (&value, constant) {
                *value = Some(rebuild.constant(array.clone(), node.location.clone()));
            }
            inputs.extend(*value);
        }
        let types = node.outputs.iter().map(|v| part.ty(*v).clone()).collect();
        let outputs = rebuild.add_node(node.op.clone(), inputs, types, node.location.clone());
        for (inside, output) in node.outputs.iter().zip(outputs) {
            rebuild.name_like(output, &part.values[inside.index()]);
            outside[inside.index()] = Some(output);
        }
    }
    outside
}

#[cfg(test)]
mod tests {
    use crate::passes::testing::{check, check_unchanged};

    #[test]
    fn invariant_chains_of_condition_and_body_come_before_the_loop() {
        check(
            super::run,
            "graph (a: float32[], n: float32[]) -> float32[] {
              b = while_loop (a; n) : float32[] {
                cond (x: float32[], n: float32[]) {
                  m = neg(n) : float32[]
                  p = less(x, m) : bool[]
                  return p
                }
                body (x: float32[], n: float32[]) {
                  two = constant 2.0 : float32[]
                  d = mul(n, two) : float32[]
                  e = exp(d) : float32[]
                  y = add(x, e) : float32[]
                  return y
                }
              }
              return b
            }",
            "graph (a: float32[], n: float32[]) -> float32[] {
              m = neg(n) : float32[]
              %3 = constant 2.0 : float32[]
              d = mul(n, %3) : float32[]
              e = exp(d) : float32[]
              b = while_loop (a; n, m, e) : float32[] {
                cond (x: float32[], n: float32[], m: float32[], %3: float32[]) {
                  p = less(x, m) : bool[]
                  return p
                }
                body (x: float32[], n: float32[], %2: float32[], e: float32[]) {
                  two = constant 2.0 : float32[]
                  y = add(x, e) : float32[]
                  return y
                }
              }
              return b
            }",
        );
    }

    #[test]
    fn variables_that_the_loop_does_not_write_are_read_before_it() {
        check(
            super::run,
            "graph (n: int32[]) with (v: int32[], w: int32[]) -> int32[] {
              i = while_loop (n) : int32[] {
                cond (i: int32[]) { a = read_variable v : int32[] p = less(i, a) : bool[] return p }
                body (i: int32[]) {
                  b = read_variable w : int32[]
                  c = add(b, i) : int32[]
                  assign_variable w (c)
                  return c
                }
              }
              return i
            }",
            "graph (n: int32[]) with (v: int32[], w: int32[]) -> int32[] {
              a = read_variable v : int32[]
              i = while_loop (n; a) : int32[] {
                cond (i: int32[], a: int32[]) { p = less(i, a) : bool[] return p }
                body (i: int32[], %1: int32[]) {
                  b = read_variable w : int32[]
                  c = add(b, i) : int32[]
                  assign_variable w (c)
                  return c
                }
              }
              return i
            }",
        );
    }

    #[test]
    fn what_may_fail_or_depends_on_the_state_stays() {
        check_unchanged(
            super::run,
            "graph (a: int32[], n: int32[], v: float32[?], w: float32[?]) -> (int32[], float32[?]) {
              b, c = while_loop (a, v; n, v, w) : int32[], float32[?] {
                cond (x: int32[], y: float32[?], n: int32[], v: float32[?], w: float32[?]) { p = less(x, n) : bool[] return p }
                body (x: int32[], y: float32[?], n: int32[], v: float32[?], w: float32[?]) {
                  q = div(n, n) : int32[]
                  s = add(x, q) : int32[]
                  t = add(v, w) : float32[?]
                  return s, t
                }
              }
              return b, c
            }",
        );
    }
}
