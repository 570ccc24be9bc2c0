//! Inlining: a call becomes the called graph's nodes, so that other passes see through it. The plan has no calls
//! anyway; this bounds how large a graph the passes look at, not how large a plan is.

use super::rebuild::Rebuild;
use crate::graph::{Graph, Op};

/// A graph doesn't grow beyond this many nodes.
const MAX_NODES: usize = 20_000;

pub(super) fn run(graph: &mut Graph) -> bool {
    if !graph.nodes.iter().any(|n| matches!(n.op, Op::Call { .. })) {
        return false;
    }
    let mut changed = false;
    let mut rebuild = Rebuild::new(graph);
    for (i, node) in graph.nodes.iter().enumerate() {
        match &node.op {
            Op::Call { graph: callee, .. }
                if fits(&rebuild.graph, graph.nodes.len() - i, callee) =>
            {
                let inputs = rebuild.all_new_of(&node.inputs);
                let outputs = rebuild.splice(callee, &inputs);
                rebuild.replace_all(&node.outputs, outputs);
                changed = true;
            }
            _ => rebuild.keep(node),
        }
    }
    let new = rebuild.finish();
    *graph = new;
    changed
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
