//! Inlining: a call becomes the called graph's nodes, so that other passes see through it. The plan has no calls
//! anyway; this bounds how large a graph the passes look at, not how large a plan is.
//!
//! A called graph was optimized before, so it may have fusions. They become their nodes again, and the last passes
//! fuse anew.

use super::rebuild::Rebuild;
use crate::graph::{Graph, Node, Op};

/// A graph doesn't grow beyond this many nodes.
const MAX_NODES: usize = 20_000;

pub(super) fn run(graph: &Graph) -> Option<Graph> {
    if !graph.nodes.iter().any(|n| inlined(n).is_some()) {
        return None;
    }
    let mut changed = false;
    let mut rebuild = Rebuild::new(graph);
    for (i, node) in graph.nodes.iter().enumerate() {
        match inlined(node) {
            Some(callee) if fits(&rebuild.graph, graph.nodes.len() - i, callee) => {
                let inputs = rebuild.all_new_of(&node.inputs);
                let written = rebuild.graph.nodes.len();
                let outputs = rebuild.splice(callee, &inputs);
                if let Op::Call { variables, .. } = &node.op {
                    let nodes = rebuild.graph.nodes[written..].iter_mut();
                    nodes.for_each(|node| {
                        node.op
                            .visit_variables_mut(&mut |id| *id = variables[id.index()]);
                    });
                }
                rebuild.replace_all(&node.outputs, outputs);
                changed = true;
            }
            _ => rebuild.keep(node),
        }
    }
    changed.then(|| rebuild.finish())
}

/// The graph that may stand in the place of a node.
fn inlined(node: &Node) -> Option<&Graph> {
    match &node.op {
        Op::Call { graph, .. } => Some(graph),
        Op::Fusion { body } => Some(body),
        _ => None,
    }
}

fn fits(written: &Graph, left: usize, callee: &Graph) -> bool {
    written.nodes.len() + left + callee.nodes.len() <= MAX_NODES
}

#[cfg(test)]
mod tests {
    use crate::passes::testing::check;

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
              y = fusion (x) : float32[] { body (z: float32[]) { y = relu(z) : float32[] return y } }
              z = cond p (y) : float32[] {
                then (y: float32[]) { a = exp(y) : float32[] b = add(a, y) : float32[] return b }
                else (y: float32[]) { return y }
              }
              return z
            }",
        );
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
}
