//! Inlining: a call is replaced by the nodes of the called graph, so that other passes can optimize across the call. A plan never
//! contains calls; the limit here bounds the size of graphs that passes work on, not the size of plans.
//!
//! A called graph is already optimized, so it may contain fusions. They are replaced by their nodes again, and the fusing passes
//! run again at the end.

use super::patch::Patch;
use crate::graph::{Graph, Node, Op, SharedGraph, ValueId, VariableId, steps};

/// The approximate number of nodes up to which inlining lets a graph grow.
const MAX_NODES: usize = 20_000;

pub(super) fn run(graph: &Graph) -> Option<Patch> {
    if !graph.has_bodies() {
        return None;
    }
    let mut inlining = Inlining::default();
    let new = inlining.whole(graph, None);
    inlining.changed.then(|| new.into())
}

#[derive(Default)]
struct Inlining {
    /// Whether anything was inlined.
    changed: bool,
}

/// A graph whose nodes are being appended to another graph.
struct Source<'a> {
    graph: &'a Graph,
    /// For each of its values, the value in the new graph.
    map: Vec<Option<ValueId>>,
    /// If it was called: for each of its variables, the variable of the graph that it is written into.
    variables: Option<&'a [VariableId]>,
    /// How many nodes are still to be written after it.
    behind: usize,
}

impl Source<'_> {
    fn new_of(&self, values: &[ValueId]) -> Vec<ValueId> {
        let new = values.iter().map(|v| self.map[v.index()]);
        new.map(|v| v.expect("a verified graph reads only defined values"))
            .collect()
    }

    fn define(&mut self, values: &[ValueId], new: &[ValueId]) {
        for (value, new) in values.iter().zip(new) {
            self.map[value.index()] = Some(*new);
        }
    }
}

impl Inlining {
    /// A graph with calls inlined in it and in its subgraphs.
    fn whole(&mut self, graph: &Graph, variables: Option<&[VariableId]>) -> Graph {
        let mut new = Graph {
            variables: graph.variables.clone(),
            ..Graph::default()
        };
        let mut source = Source {
            graph,
            map: vec![None; graph.values.len()],
            variables,
            behind: 0,
        };
        for input in &graph.inputs {
            let value = &graph.values[input.index()];
            let input_of_new = new.add_input(value.ty.clone(), value.name.clone());
            source.define(&[*input], &[input_of_new]);
        }
        self.write(&mut new, &mut source);
        new.outputs = source.new_of(&graph.outputs);
        new
    }

    /// Appends the nodes of a graph to a new graph.
    fn write(&mut self, new: &mut Graph, source: &mut Source<'_>) {
        let graph = source.graph;
        steps::count(graph.nodes.len());
        for (i, node) in graph.nodes.iter().enumerate() {
            let behind = source.behind + graph.nodes.len() - i;
            match &node.op {
                Op::Call { graph: body, .. } | Op::Fusion { body }
                    if new.nodes.len() + behind + body.nodes.len() <= MAX_NODES =>
                {
                    self.inline(new, source, node, body, behind - 1);
                }
                op => {
                    let op = self.inside(op, source.variables);
                    let inputs = source.new_of(&node.inputs);
                    let value = |v: &ValueId| graph.values[v.index()].clone();
                    let outputs: Vec<ValueId> = node
                        .outputs
                        .iter()
                        .map(value)
                        .map(|value| new.add_value(value.ty, value.name))
                        .collect();
                    source.define(&node.outputs, &outputs);
                    new.nodes.push(Node {
                        op,
                        inputs,
                        outputs,
                        location: node.location.clone(),
                    });
                }
            }
        }
    }

    /// Appends the nodes of a call's or fusion's body in place of the node.
    fn inline(
        &mut self,
        new: &mut Graph,
        source: &mut Source<'_>,
        node: &Node,
        body: &SharedGraph,
        behind: usize,
    ) {
        self.changed = true;
        let mut renamed = Vec::new();
        if let Op::Call { variables, .. } = &node.op {
            renamed.clone_from(variables);
            renamed
                .iter_mut()
                .for_each(|id| *id = outer(source.variables, *id));
        }
        let mut inner = Source {
            graph: body,
            map: vec![None; body.values.len()],
            variables: Some(&renamed),
            behind,
        };
        inner.define(&body.inputs, &source.new_of(&node.inputs));
        self.write(new, &mut inner);
        let outputs = inner.new_of(&body.outputs);
        source.define(&node.outputs, &outputs);
        for (old, value) in node.outputs.iter().zip(outputs) {
            let name = &source.graph.values[old.index()].name;
            let new = &mut new.values[value.index()].name;
            *new = new.take().or_else(|| name.clone());
        }
    }

    /// An op with calls inlined in its subgraphs, and with variables renamed to those of the graph that it is written into.
    fn inside(&mut self, op: &Op, variables: Option<&[VariableId]>) -> Op {
        let mut new = op.clone();
        if !op.is_chain() && op.has_bodies() {
            let subgraphs = op.shared().into_iter();
            let subgraphs: Vec<SharedGraph> = subgraphs
                .map(|graph| match graph.has_bodies() {
                    true => self.whole(graph, variables).into(),
                    false => renamed(graph, variables),
                })
                .collect();
            return op.with_subgraphs(subgraphs);
        }
        if variables.is_some() {
            new.visit_variables_mut(&mut |id| *id = outer(variables, *id));
        }
        new
    }
}

/// A subgraph with variables renamed to those of the graph that it is written into.
fn renamed(graph: &SharedGraph, variables: Option<&[VariableId]>) -> SharedGraph {
    let mut graph = graph.clone();
    if variables.is_some() && graph.names_variables() {
        graph.nodes.iter_mut().for_each(|node| {
            node.op
                .visit_variables_mut(&mut |id| *id = outer(variables, *id))
        });
    }
    graph
}

fn outer(variables: Option<&[VariableId]>, id: VariableId) -> VariableId {
    variables.map_or(id, |variables| variables[id.index()])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::passes::testing::{check, parse};

    const CALLEE: &str = "
fn twice(x: int32[]) -> int32[] {
  y = add(x, x) : int32[]
  print(\"twice\")
  return y
}";

    #[test]
    fn a_call_becomes_its_nodes_with_their_effects() {
        check(
            super::run,
            &format!(
                "{CALLEE} graph (a: int32[]) -> int32[] {{
              b = call twice(a) : int32[]
              c = call twice(b) : int32[]
              return c
            }}"
            ),
            "graph (a: int32[]) -> int32[] {
              y = add(a, a) : int32[]
              print(\"twice\")
              y_1 = add(y, y) : int32[]
              print(\"twice\")
              return y_1
            }",
        );
    }

    #[test]
    fn the_variables_of_a_called_graph_become_those_of_the_call() {
        check(
            super::run,
            "fn f(x: int32[]) with (a: int32[], b: int32[]) -> int32[] {
              y = read_variable b : int32[]
              p = less(x, y) : bool[]
              cond p (x) { then (x: int32[]) { assign_variable a (x) return } else (x: int32[]) { return } }
              update_variable b (x) { body (b: int32[], x: int32[]) { z = add(b, x) : int32[] return z } }
              return y
            }
            graph (x: int32[]) with (u: int32[], v: int32[], w: int32[]) -> int32[] {
              y = call f(x) with (w, v) : int32[]
              return y
            }",
            "graph (x: int32[]) with (u: int32[], v: int32[], w: int32[]) -> int32[] {
              y = read_variable v : int32[]
              p = less(x, y) : bool[]
              cond p (x) { then (x: int32[]) { assign_variable w (x) return } else (x: int32[]) { return } }
              update_variable v (x) { body (b: int32[], x: int32[]) { z = add(b, x) : int32[] return z } }
              return y
            }",
        );
    }

    #[test]
    fn fusions_become_their_nodes() {
        check(
            super::run,
            "fn f(x: float32[]) -> float32[] {
              y = fusion (x) : float32[] { body (z: float32[]) { y = relu(z) : float32[] return y } }
              return y
            }
            graph (p: bool[], x: float32[]) -> float32[] {
              y = call f(x) : float32[]
              z = cond p (y) : float32[] {
                then (y: float32[]) {
                  z = fusion (y) : float32[] { body (y: float32[]) { a = exp(y) : float32[] b = add(a, y) : float32[] return b } }
                  return z
                }
                else (y: float32[]) { return y }
              }
              return z
            }",
            "graph (p: bool[], x: float32[]) -> float32[] {
              y = relu(x) : float32[]
              z = cond p (y) : float32[] {
                then (y: float32[]) { a = exp(y) : float32[] b = add(a, y) : float32[] return b }
                else (y: float32[]) { return y }
              }
              return z
            }",
        );
    }

    #[test]
    fn calls_are_inlined_until_the_graph_is_large() {
        let adds = (1..=100).map(|i| format!("x{i} = add(x{0}, x{0}) : int32[] ", i - 1));
        let adds: String = adds.collect();
        let after_inlining = |count: usize| {
            let calls = (1..=count).map(|i| format!("y{i} = call f(y{}) : int32[] ", i - 1));
            let calls: String = calls.collect();
            let text = format!(
                "fn f(x0: int32[]) -> int32[] {{ {adds} return x100 }}
                graph (y0: int32[]) -> int32[] {{ {calls} return y{count} }}"
            );
            let graph = run(&parse(&text)).expect("calls are inlined");
            let calls = graph
                .nodes
                .iter()
                .filter(|node| matches!(node.op, Op::Call { .. }));
            (calls.count(), graph.nodes.len())
        };
        assert_eq!(after_inlining(199), (0, 19_900));
        let (calls, nodes) = after_inlining(250);
        assert_eq!(nodes, (250 - calls) * 100 + calls);
        assert!((MAX_NODES - 200..=MAX_NODES).contains(&nodes), "{nodes}");
    }

    #[test]
    fn calls_in_subgraphs_are_inlined() {
        check(
            super::run,
            &format!(
                "{CALLEE} graph (p: bool[], a: int32[]) -> int32[] {{
              b = cond p (a) : int32[] {{
                then (x: int32[]) {{ z = call twice(x) : int32[] return z }}
                else (x: int32[]) {{ return x }}
              }}
              return b
            }}"
            ),
            "graph (p: bool[], a: int32[]) -> int32[] {
              b = cond p (a) : int32[] {
                then (x: int32[]) { y = add(x, x) : int32[] print(\"twice\") return y }
                else (x: int32[]) { return x }
              }
              return b
            }",
        );
    }

    #[test]
    fn what_called_graphs_call_is_inlined_with_them() {
        check(
            super::run,
            "fn f(x: int32[]) with (a: int32[]) -> int32[] {
              assign_variable a (x)
              y = neg(x) : int32[]
              return y
            }
            fn g(p: bool[], x: int32[]) with (b: int32[], c: int32[]) -> int32[] {
              y = cond p (x) : int32[] {
                then (x: int32[]) { z = call f(x) with (c) : int32[] return z }
                else (x: int32[]) { assign_variable b (x) return x }
              }
              z = call f(y) with (b) : int32[]
              return z
            }
            graph (p: bool[], x: int32[]) with (u: int32[], v: int32[]) -> int32[] {
              y = call g(p, x) with (v, u) : int32[]
              return y
            }",
            "graph (p: bool[], x: int32[]) with (u: int32[], v: int32[]) -> int32[] {
              y = cond p (x) : int32[] {
                then (x: int32[]) { assign_variable u (x) y = neg(x) : int32[] return y }
                else (x: int32[]) { assign_variable v (x) return x }
              }
              assign_variable v (y)
              y_1 = neg(y) : int32[]
              return y_1
            }",
        );
    }
}
