//! Fusion of a reduction over the trailing axes with the elementwise primitives that compute its operand: the
//! operand is never written to memory.

use super::fuse::{Group, MAX_PRIMITIVES, Uses, elements, fuse, segments};
use super::patch::Patch;
use crate::graph::fusion::FusionRole;
use crate::graph::{Graph, Node};

pub(super) fn run(graph: &Graph) -> Option<Patch> {
    let uses = Uses::of(graph);
    let segments = segments(graph);
    let group = |(i, node)| {
        let producer = reduced(graph, &uses, node)?;
        (segments[producer] == segments[i]).then(|| vec![producer, i])
    };
    let groups: Vec<Group> = graph.nodes.iter().enumerate().filter_map(group).collect();
    fuse(graph, &groups)
}

/// The elementwise node whose result only this reduction reads.
fn reduced(graph: &Graph, uses: &Uses, node: &Node) -> Option<usize> {
    if FusionRole::of(graph, node) != Some(FusionRole::Reduction)
        || graph.ty(node.inputs[0]).shape.size() == Some(1)
    {
        return None;
    }
    let producer = uses.only_use_of(node.inputs[0])?;
    (elements(graph, &graph.nodes[producer])? < MAX_PRIMITIVES).then_some(producer)
}

#[cfg(test)]
mod tests {
    use crate::passes::testing::{check, check_unchanged};

    #[test]
    fn a_primitive_or_a_fusion_is_reduced_as_it_is_computed() {
        check(
            super::run,
            "graph (x: float32[4,3], b: float32[3]) -> (float32[], float32[4]) {
              two = constant 2.0 : float32[]
              a = mul(x, two) : float32[4,3]
              s = reduce_sum(a) {axes = [], keep_dims = false} : float32[]
              c = fusion (x, b) : float32[4,3] {
                body (x: float32[4,3], b: float32[3]) {
                  d = sub(x, b) : float32[4,3]
                  e = square(d) : float32[4,3]
                  return e
                }
              }
              m = reduce_mean(c) {axes = [-1], keep_dims = false} : float32[4]
              return s, m
            }",
            "graph (x: float32[4,3], b: float32[3]) -> (float32[], float32[4]) {
              s = fusion (x) : float32[] {
                body (x: float32[4,3]) {
                  two = constant 2.0 : float32[]
                  a = mul(x, two) : float32[4,3]
                  s = reduce_sum(a) {axes = [], keep_dims = false} : float32[]
                  return s
                }
              }
              m = fusion (x, b) : float32[4] {
                body (x: float32[4,3], b: float32[3]) {
                  d = sub(x, b) : float32[4,3]
                  e = square(d) : float32[4,3]
                  m = reduce_mean(e) {axes = [-1], keep_dims = false} : float32[4]
                  return m
                }
              }
              return s, m
            }",
        );
    }

    #[test]
    fn other_axes_other_users_and_effects_keep_them_apart() {
        check_unchanged(
            super::run,
            "graph (x: float32[4,3], u: float32[*]) -> (float32[3], float32[4], float32[4,3], float32[*], float32[4]) {
              a = neg(x) : float32[4,3]
              s = reduce_sum(a) {axes = [0], keep_dims = false} : float32[3]
              b = exp(x) : float32[4,3]
              t = reduce_sum(b) {axes = [1], keep_dims = false} : float32[4]
              v = exp(u) : float32[*]
              w = reduce_sum(v) {axes = [1], keep_dims = false} : float32[*]
              c = abs(x) : float32[4,3]
              print(\"between\")
              d = reduce_sum(c) {axes = [1], keep_dims = false} : float32[4]
              return s, t, b, w, d
            }",
        );
    }
}
