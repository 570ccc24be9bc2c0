//! Fusion of elementwise primitives: primitives that compute values of one shape for each other become one node, so that only its
//! result is written to memory. A broadcast operand is an input of the fusion: a value of another shape is computed once,
//! outside. Where shapes are unknown, it turns out in the run whether they are equal.
//!
//! A value with several readers stays outside the fusion, unless all readers are in the same fusion. Scalars aren't fused: there is
//! no array to save, and word programs are faster.

use super::fuse::{fuse, may_be_equal};
use super::groups::groups;
use super::patch::Patch;
use crate::graph::fusion::FusionRole;
use crate::graph::{Graph, Node, Shape};

pub(super) fn run(graph: &Graph) -> Option<Patch> {
    let is_array = |node: &Node| graph.ty(node.outputs[0]).shape.size() != Some(1);
    let is_member =
        |node: &Node| FusionRole::of(graph, node) == Some(FusionRole::Element) && is_array(node);
    let fits = |node: &Node, shape: &Shape| may_be_equal(&graph.ty(node.outputs[0]).shape, shape);
    fuse(graph, &groups(graph, is_member, fits))
}

#[cfg(test)]
mod tests {
    use crate::passes::testing::{check, check_unchanged};

    #[test]
    fn a_chain_with_broadcast_operands_is_one_node() {
        check(
            super::run,
            "graph (x: float32[4,3], b: float32[3], s: float32[]) -> float32[4,3] {
              two = constant 2.0 : float32[]
              a = mul(x, two) : float32[4,3]
              c = add(a, b) : float32[4,3]
              d = mul(c, c) : float32[4,3]
              e = div(d, s) : float32[4,3]
              return e
            }",
            "graph (x: float32[4,3], b: float32[3], s: float32[]) -> float32[4,3] {
              e = fusion (x, b, s) : float32[4,3] {
                body (x: float32[4,3], b: float32[3], s: float32[]) {
                  two = constant 2.0 : float32[]
                  a = mul(x, two) : float32[4,3]
                  c = add(a, b) : float32[4,3]
                  d = mul(c, c) : float32[4,3]
                  e = div(d, s) : float32[4,3]
                  return e
                }
              }
              return e
            }",
        );
    }

    #[test]
    fn a_value_that_is_used_elsewhere_stays() {
        check(
            super::run,
            "graph (x: float32[?]) -> (float32[?], float32[?], float32[1]) {
              a = exp(x) : float32[?]
              b = neg(a) : float32[?]
              c = add(b, a) : float32[?]
              i = constant [0] : int32[1]
              d = gather(a, i) {axis = 0} : float32[1]
              return a, c, d
            }",
            "graph (x: float32[?]) -> (float32[?], float32[?], float32[1]) {
              a = exp(x) : float32[?]
              c = fusion (a) : float32[?] {
                body (a: float32[?]) {
                  b = neg(a) : float32[?]
                  c = add(b, a) : float32[?]
                  return c
                }
              }
              i = constant [0] : int32[1]
              d = gather(a, i) {axis = 0} : float32[1]
              return a, c, d
            }",
        );
    }

    #[test]
    fn what_is_broadcast_is_computed_once() {
        check_unchanged(
            super::run,
            "graph (x: float32[4,3], b: float32[3], c: float32[4,1]) -> (float32[4,3], float32[4,3]) {
              d = exp(b) : float32[3]
              e = add(x, d) : float32[4,3]
              f = exp(c) : float32[4,1]
              g = add(x, f) : float32[4,3]
              return e, g
            }",
        );
    }

    #[test]
    fn unknown_shapes_are_decided_at_run_time() {
        check(
            super::run,
            "graph (x: float32[*], b: float32[*]) -> float32[*] {
              a = add(x, b) : float32[*]
              c = exp(a) : float32[*]
              return c
            }",
            "graph (x: float32[*], b: float32[*]) -> float32[*] {
              c = fusion (x, b) : float32[*] {
                body (x: float32[*], b: float32[*]) {
                  a = add(x, b) : float32[*]
                  c = exp(a) : float32[*]
                  return c
                }
              }
              return c
            }",
        );
    }

    #[test]
    fn nothing_moves_past_an_effect() {
        check_unchanged(
            super::run,
            "graph (x: int32[2]) -> int32[2] {
              a = div(x, x) : int32[2]
              print(\"divided\")
              b = neg(a) : int32[2]
              return b
            }",
        );
    }

    #[test]
    fn scalars_and_strings_stay() {
        check_unchanged(
            super::run,
            "graph (x: int32[], s: string[2], o: int32[1,1]) -> (int32[], string[2], int32[1,1]) {
              a = add(x, x) : int32[]
              b = mul(a, a) : int32[]
              t = add(s, s) : string[2]
              u = add(t, s) : string[2]
              p = add(o, o) : int32[1,1]
              q = add(p, o) : int32[1,1]
              return b, u, q
            }",
        );
    }

    #[test]
    fn a_constant_that_others_use_stays_for_them() {
        check(
            super::run,
            "graph (x: int32[2]) -> (int32[2], int32[]) {
              c = constant 3 : int32[]
              a = add(x, c) : int32[2]
              b = mul(a, a) : int32[2]
              return b, c
            }",
            "graph (x: int32[2]) -> (int32[2], int32[]) {
              c = constant 3 : int32[]
              b = fusion (x) : int32[2] {
                body (x: int32[2]) {
                  c = constant 3 : int32[]
                  a = add(x, c) : int32[2]
                  b = mul(a, a) : int32[2]
                  return b
                }
              }
              return b, c
            }",
        );
    }

    #[test]
    fn fusions_are_bounded() {
        let chain: String = (1..=100)
            .map(|i| format!("x{i} = add(x{}, x0) : int32[2] ", i - 1))
            .collect();
        let text = format!("graph (x0: int32[2]) -> int32[2] {{ {chain} return x100 }}");
        let mut graph: crate::graph::Graph = text.parse().unwrap();
        graph = super::run(&graph).unwrap().into_graph();
        let sizes = graph.nodes.iter().map(|n| n.op.subgraphs()[0].nodes.len());
        assert_eq!(sizes.collect::<Vec<_>>(), [36, 64]);
    }
}
