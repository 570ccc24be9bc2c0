//! Dead code: a node that no output and no effect needs goes, and control flow loses operands, outputs and loop
//! state that nobody uses. The subgraphs' own nodes that this leaves unused go in the next round.

use smallvec::{SmallVec, smallvec};

use super::rebuild::{Rebuild, kept, retain_outputs};
use crate::graph::{Graph, Node, Op, ValueId};

pub(super) fn run(graph: &Graph) -> Option<Graph> {
    let liveness = Liveness::of(graph, &graph.outputs);
    let is_needed = |uses: &Option<Uses>| uses.as_ref().is_some_and(Uses::is_all);
    if liveness.nodes.iter().all(is_needed) {
        return None;
    }
    let mut rebuild = Rebuild::new(graph);
    for (node, live) in graph.nodes.iter().zip(&liveness.nodes) {
        match live {
            None => {}
            Some(uses) if uses.is_all() => rebuild.keep(node),
            Some(uses) => {
                let op = shrink(&node.op, uses);
                rebuild.keep_as(
                    node,
                    op,
                    &kept(&node.inputs, &uses.inputs),
                    &kept(&node.outputs, &uses.outputs),
                );
            }
        }
    }
    Some(rebuild.finish())
}

/// What a node that stays needs to keep, by position.
struct Uses {
    inputs: Marks,
    outputs: Marks,
}

/// Few enough, mostly, to need no allocation.
type Marks = SmallVec<[bool; 8]>;

impl Uses {
    fn all(node: &Node) -> Uses {
        Uses {
            inputs: smallvec![true; node.inputs.len()],
            outputs: smallvec![true; node.outputs.len()],
        }
    }

    fn is_all(&self) -> bool {
        !self.inputs.contains(&false) && !self.outputs.contains(&false)
    }
}

/// What is needed of a graph, given which of its values are returned.
struct Liveness {
    /// By value.
    values: Vec<bool>,
    /// By node: `None` for one that isn't needed.
    nodes: Vec<Option<Uses>>,
}

impl Liveness {
    fn of(graph: &Graph, results: &[ValueId]) -> Liveness {
        let mut values = vec![false; graph.values.len()];
        for result in results {
            values[result.index()] = true;
        }
        let mut nodes: Vec<Option<Uses>> = Vec::with_capacity(graph.nodes.len());
        for node in graph.nodes.iter().rev() {
            let live: Marks = node.outputs.iter().map(|v| values[v.index()]).collect();
            let needed = live.contains(&true) || node.op.has_effect();
            let uses = needed.then(|| uses_of(node, live));
            if let Some(uses) = &uses {
                for (input, used) in node.inputs.iter().zip(&uses.inputs) {
                    values[input.index()] |= used;
                }
            }
            nodes.push(uses);
        }
        nodes.reverse();
        Liveness { values, nodes }
    }

    /// Which inputs of a graph its effects and these outputs (by position) need.
    fn of_inputs(graph: &Graph, outputs: &[bool]) -> Marks {
        let liveness = Liveness::of(graph, &kept(&graph.outputs, outputs));
        graph
            .inputs
            .iter()
            .map(|v| liveness.values[v.index()])
            .collect()
    }
}

/// What a needed node uses of its inputs and state, given which of its outputs are live.
fn uses_of(node: &Node, live: Marks) -> Uses {
    match &node.op {
        Op::Cond { .. } | Op::SwitchCase { .. } => {
            let mut inputs: Marks = smallvec![false; node.inputs.len()];
            inputs[0] = true;
            for branch in node.op.subgraphs() {
                mark(&mut inputs[1..], &Liveness::of_inputs(branch, &live));
            }
            Uses {
                inputs,
                outputs: live,
            }
        }
        Op::WhileLoop { cond, body } => loop_uses(cond, body, live, node.inputs.len()),
        _ => Uses::all(node),
    }
}

/// State is needed if its output is, or if the condition, an effect or other needed state reads it.
fn loop_uses(cond: &Graph, body: &Graph, live: Marks, operands: usize) -> Uses {
    let mut inputs = Liveness::of_inputs(cond, &[true]);
    let mut outputs = live;
    debug_assert_eq!(inputs.len(), operands);
    loop {
        mark(&mut inputs, &outputs);
        let before = outputs.clone();
        mark(&mut inputs, &Liveness::of_inputs(body, &outputs));
        outputs.copy_from_slice(&inputs[..before.len()]);
        if outputs == before {
            return Uses { inputs, outputs };
        }
    }
}

fn mark(marks: &mut [bool], more: &[bool]) {
    for (mark, more) in marks.iter_mut().zip(more) {
        *mark |= more;
    }
}

/// The control-flow op with only the inputs and outputs that are used.
fn shrink(op: &Op, uses: &Uses) -> Op {
    let mut op = op.clone();
    let (inputs, with_cond) = match &op {
        Op::WhileLoop { .. } => (&uses.inputs[..], true),
        _ => (&uses.inputs[1..], false),
    };
    for (i, subgraph) in op.subgraphs_mut().into_iter().enumerate() {
        if !(with_cond && i == 0) {
            retain_outputs(subgraph, &uses.outputs);
        }
        // What reads the dropped inputs is dead now, and has to go first.
        if let Some(smaller) = run(subgraph) {
            *subgraph = smaller;
        }
        let smaller = Rebuild::with_inputs(subgraph, |i| inputs[i]);
        *subgraph = copy_nodes(smaller, &subgraph.nodes);
    }
    op
}

fn copy_nodes(mut rebuild: Rebuild<'_>, nodes: &[Node]) -> Graph {
    for node in nodes {
        rebuild.keep(node);
    }
    rebuild.finish()
}

#[cfg(test)]
mod tests {
    use crate::passes::testing::{check, check_unchanged};

    #[test]
    fn unused_nodes_go_and_effects_stay() {
        check(
            super::run,
            "graph (x: int32[]) -> int32[] {
              a = add(x, x) : int32[]
              b = mul(a, a) : int32[]
              c = mul(x, x) : int32[]
              print(\"c is \", c)
              return x
            }",
            "graph (x: int32[]) -> int32[] {
              c = mul(x, x) : int32[]
              print(\"c is \", c)
              return x
            }",
        );
    }

    #[test]
    fn conds_lose_unused_operands_and_outputs() {
        check(
            super::run,
            "graph (p: bool[], x: int32[], y: int32[]) -> int32[] {
              a, b = cond p (x, y) : int32[], int32[] {
                then (x: int32[], y: int32[]) { z = add(y, y) : int32[] return x, z }
                else (x: int32[], y: int32[]) { z = mul(x, x) : int32[] return z, y }
              }
              return a
            }",
            "graph (p: bool[], x: int32[], y: int32[]) -> int32[] {
              a = cond p (x) : int32[] {
                then (x: int32[]) { return x }
                else (x: int32[]) { z = mul(x, x) : int32[] return z }
              }
              return a
            }",
        );
    }

    #[test]
    fn loops_lose_state_that_only_feeds_itself() {
        check(
            super::run,
            "graph (n: int32[], k: int32[]) -> int32[] {
              zero = constant 0 : int32[]
              i, s, t = while_loop (zero, zero, zero; n, k) : int32[], int32[], int32[] {
                cond (i: int32[], s: int32[], t: int32[], n: int32[], k: int32[]) {
                  p = less(i, n) : bool[]
                  return p
                }
                body (i: int32[], s: int32[], t: int32[], n: int32[], k: int32[]) {
                  one = constant 1 : int32[]
                  j = add(i, one) : int32[]
                  s2 = add(s, t) : int32[]
                  t2 = add(t, k) : int32[]
                  return j, s2, t2
                }
              }
              return i
            }",
            "graph (n: int32[], k: int32[]) -> int32[] {
              zero = constant 0 : int32[]
              i = while_loop (zero; n) : int32[] {
                cond (i: int32[], n: int32[]) { p = less(i, n) : bool[] return p }
                body (i: int32[], n: int32[]) {
                  one = constant 1 : int32[]
                  j = add(i, one) : int32[]
                  return j
                }
              }
              return i
            }",
        );
    }

    #[test]
    fn state_that_feeds_needed_state_or_effects_stays() {
        check_unchanged(
            super::run,
            "graph (n: int32[]) -> int32[] {
              i, s, t = while_loop (n, n, n) : int32[], int32[], int32[] {
                cond (i: int32[], s: int32[], t: int32[]) { p = less(i, i) : bool[] return p }
                body (i: int32[], s: int32[], t: int32[]) {
                  print(t)
                  s2 = add(s, i) : int32[]
                  t2 = add(t, t) : int32[]
                  return s, s2, t2
                }
              }
              return i
            }",
        );
    }
}
