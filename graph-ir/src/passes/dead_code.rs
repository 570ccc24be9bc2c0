//! Dead code: removes nodes that no output and no effect needs, and unused operands, outputs and loop state of control flow, at all
//! depths at once. The set of needed values only grows, so a subgraph is visited again only if more of its outputs turn out to be
//! needed. The work grows with the number of nodes, not with the depth.

use smallvec::{SmallVec, smallvec};

use super::patch::Patch;
use super::rebuild::{Rebuild, kept};
use crate::graph::{Flow, Graph, Node, Op, SharedGraph, steps};

pub(super) fn run(graph: &Graph) -> Option<Patch> {
    let mut needs = Needs::none(graph);
    needs.grow(graph, &vec![true; graph.outputs.len()]);
    let (inputs, outputs) = (graph.inputs.len(), graph.outputs.len());
    needs.rest(graph, &vec![true; inputs], &vec![true; outputs])
}

/// Mostly short enough to need no allocation.
type Marks = SmallVec<[bool; 8]>;

/// Which parts of a graph are needed.
struct Needs {
    /// For each value, whether it is needed.
    values: Vec<bool>,
    nodes: Vec<Uses>,
    /// Whether the nodes have been visited.
    is_known: bool,
}

/// Which parts of a node are needed.
struct Uses {
    has_effect: bool,
    is_needed: bool,
    /// The outputs that later nodes read, at the last visit.
    live: Marks,
    /// The inputs that it keeps, by position.
    inputs: Marks,
    outputs: Marks,
    /// The needs of its subgraphs; empty for an op without control flow.
    inside: SmallVec<[Needs; 2]>,
}

impl Needs {
    /// The needs of a graph none of whose outputs are read yet.
    fn none(graph: &Graph) -> Needs {
        Needs {
            values: vec![false; graph.values.len()],
            nodes: graph.nodes.iter().map(Uses::none).collect(),
            is_known: false,
        }
    }

    fn has_effect(&self) -> bool {
        self.nodes.iter().any(|uses| uses.has_effect)
    }

    /// Marks outputs (by position) as needed. Returns whether one of them wasn't needed before.
    fn grow(&mut self, graph: &Graph, outputs: &[bool]) -> bool {
        let mut is_new = !std::mem::replace(&mut self.is_known, true);
        for output in kept(&graph.outputs, outputs) {
            is_new |= !std::mem::replace(&mut self.values[output.index()], true);
        }
        if is_new {
            self.go_back(graph);
        }
        is_new
    }

    /// Walks backwards from the outputs and marks what they need.
    fn go_back(&mut self, graph: &Graph) {
        steps::count(graph.nodes.len());
        for (node, uses) in graph.nodes.iter().zip(&mut self.nodes).rev() {
            let live = node
                .outputs
                .iter()
                .map(|v| self.values[v.index()])
                .collect();
            if uses.grow(node, live) {
                for input in kept(&node.inputs, &uses.inputs) {
                    self.values[input.index()] = true;
                }
            }
        }
    }

    /// For each input, whether it is needed.
    fn inputs<'a>(&'a self, graph: &'a Graph) -> impl Iterator<Item = bool> + 'a {
        graph.inputs.iter().map(|v| self.values[v.index()])
    }

    /// The graph reduced to what is needed, with these inputs and outputs; `None` if nothing can be removed.
    fn rest(&self, graph: &Graph, inputs: &[bool], outputs: &[bool]) -> Option<Patch> {
        let nodes = || graph.nodes.iter().zip(&self.nodes);
        let ops: Vec<Option<Op>> = nodes().map(|(node, uses)| uses.rest(node)).collect();
        // An op that loses inputs or outputs must be replaced, too.
        let keeps_nodes =
            self.nodes.iter().all(|uses| uses.is_needed) && ops.iter().all(Option::is_none);
        if keeps_nodes && !inputs.contains(&false) && !outputs.contains(&false) {
            return None;
        }
        let mut rebuild = Rebuild::with_inputs(graph, |i| inputs[i]);
        for ((node, uses), op) in nodes().zip(ops).filter(|((_, uses), _)| uses.is_needed) {
            let op = op.unwrap_or_else(|| node.op.clone());
            let (inputs, outputs) = (&uses.inputs, &uses.outputs);
            let (inputs, outputs) = (kept(&node.inputs, inputs), kept(&node.outputs, outputs));
            rebuild.keep_as(node, op, &inputs, &outputs);
        }
        Some(rebuild.finish_with(|i| outputs[i]))
    }
}

impl Uses {
    fn none(node: &Node) -> Uses {
        let subgraphs = node.op.subgraphs().into_iter();
        let subgraphs = subgraphs.filter(|_| !node.op.is_chain());
        let inside: SmallVec<[Needs; 2]> = subgraphs.map(Needs::none).collect();
        Uses {
            has_effect: match inside.is_empty() {
                true => node.op.has_effect(),
                false => inside.iter().any(Needs::has_effect),
            },
            is_needed: false,
            live: smallvec![false; node.outputs.len()],
            inputs: smallvec![false; node.inputs.len()],
            outputs: smallvec![false; node.outputs.len()],
            inside,
        }
    }

    /// Marks outputs as live. Returns whether the node needs more than before.
    fn grow(&mut self, node: &Node, live: Marks) -> bool {
        let is_needed = self.has_effect || live.contains(&true);
        if !is_needed || (self.is_needed && live == self.live) {
            return false;
        }
        self.is_needed = true;
        match node.flow() {
            Some(flow) => {
                self.outputs.copy_from_slice(&live);
                self.grow_inside(node, flow);
            }
            None => {
                self.inputs.fill(true);
                self.outputs.fill(true);
            }
        }
        self.live = live;
        true
    }

    /// Marks what the subgraphs need for the live outputs. A loop's state is needed if its output is, or if the condition, an effect or
    /// other needed state reads it.
    fn grow_inside(&mut self, node: &Node, flow: Flow<'_>) {
        let first = flow.first_operand();
        self.inputs[..first].fill(true);
        let mut grows = true;
        while grows {
            grows = false;
            for (i, graph) in node.op.subgraphs().into_iter().enumerate() {
                for state in 0..flow.state() {
                    let is_needed = self.outputs[state] | self.inputs[state];
                    (self.outputs[state], self.inputs[state]) = (is_needed, is_needed);
                }
                let needs = &mut self.inside[i];
                grows |= needs.grow(graph, wanted(flow, i, &self.outputs));
                mark(&mut self.inputs[first..], needs.inputs(graph));
            }
        }
    }

    /// The control-flow op reduced to the inputs and outputs that are used; `None` if nothing changes or the node is removed.
    fn rest(&self, node: &Node) -> Option<Op> {
        let flow = node.flow().filter(|_| self.is_needed)?;
        let inputs = &self.inputs[flow.first_operand()..];
        let subgraphs = self.inside.iter().zip(node.op.subgraphs()).enumerate();
        let rest = subgraphs
            .map(|(i, (needs, graph))| needs.rest(graph, inputs, wanted(flow, i, &self.outputs)));
        let rest: Vec<Option<Patch>> = rest.collect();
        if rest.iter().all(Option::is_none) {
            return None;
        }
        let rest = rest.into_iter().zip(node.op.shared());
        let rest = rest.map(|(rest, whole)| rest.map_or_else(|| whole.clone(), SharedGraph::from));
        Some(node.op.with_subgraphs(rest))
    }
}

/// Which outputs of a subgraph are needed: those that the node's needed results come from, or the one output of a condition.
fn wanted<'a>(flow: Flow<'_>, subgraph: usize, results: &'a [bool]) -> &'a [bool] {
    match flow.gives_results(subgraph) {
        true => results,
        false => &[true],
    }
}

fn mark(marks: &mut [bool], more: impl Iterator<Item = bool>) {
    for (mark, more) in marks.iter_mut().zip(more) {
        *mark |= more;
    }
}

#[cfg(test)]
mod tests {
    use crate::graph::steps;
    use crate::passes::testing::{check, check_unchanged, parse};

    /// The text of nested loops. The innermost one updates `s` and `t`; `t` isn't needed.
    fn nest(depth: usize) -> String {
        let types = "int32[], int32[], int32[]";
        let inner = match depth {
            0 => "s2 = add(s, i) : int32[] t2 = add(t, t) : int32[]".to_owned(),
            _ => format!(
                "zero = constant 0 : int32[] k, s2, t2 = {}",
                nest(depth - 1)
            ),
        };
        format!(
            "while_loop (zero, s, t) : {types} {{
              cond (i: int32[], s: int32[], t: int32[]) {{ n = constant 2 : int32[] p = less(i, n) : bool[] return p }}
              body (i: int32[], s: int32[], t: int32[]) {{
                {inner}
                one = constant 1 : int32[]
                j = add(i, one) : int32[]
                return j, s2, t2
              }}
            }}"
        )
    }

    #[test]
    fn each_node_is_looked_at_a_few_times_at_any_depth() {
        for depth in [5, 20, 40] {
            let text = format!(
                "graph (s: int32[], t: int32[]) -> int32[] {{
                  zero = constant 0 : int32[]
                  k, u, v = {}
                  return u
                }}",
                nest(depth)
            );
            let graph = parse(&text);
            let (looked_at, smaller) = steps::of(|| super::run(&graph).expect("`t` goes"));
            assert!(!smaller.to_string().contains("add(t, t)"), "{}", *smaller);
            assert!(looked_at <= 40 * (depth + 1), "{depth} deep: {looked_at}");
        }
    }

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
