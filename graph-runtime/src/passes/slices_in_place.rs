//! Slices that elementwise primitives alone read become part of their fusion, which reads them where they are: the gates of a
//! recurrent network are parts of one product, and aren't copied out of it. The last of the passes that fuse, since a slice hides
//! nothing from the others that way.
//!
//! Where shapes aren't known, a slice stays a node of its own.

use super::fuse::{Group, MAX_PRIMITIVES, Uses, elements, fuse, segments};
use crate::graph::fusion::{Part, goes_by_rows};
use crate::graph::{Graph, Node, Op, ValueId};

pub(super) fn run(graph: &Graph) -> Option<Graph> {
    let uses = Uses::of(graph);
    let segments = segments(graph);
    let group = |(i, node): (usize, &Node)| {
        let slices = node.inputs.iter().filter(|v| takes_part(graph, node, **v));
        let slices = slices.filter_map(|v| uses.only_use_of(*v));
        let near = slices.filter(|slice| segments[*slice] == segments[i]);
        let mut group: Group = near.filter(|slice| Part::of(graph, &graph.nodes[*slice]) == Some(Part::Slice)).collect();
        group.sort_unstable();
        group.dedup();
        let fits = !group.is_empty() && known_shapes(graph, node);
        fits.then(|| group.into_iter().chain([i]).collect())
    };
    let groups: Vec<Group> = graph.nodes.iter().enumerate().filter_map(group).collect();
    fuse(graph, &groups)
}

/// True if a node reads an operand only elementwise, in a fusion that may take slices.
fn takes_part(graph: &Graph, node: &Node, operand: ValueId) -> bool {
    let Op::Fusion { body } = &node.op else {
        return elements(graph, node).is_some();
    };
    let mut inside = body.inputs.iter().zip(&node.inputs);
    let is_element = |value: &ValueId| {
        let mut readers = body.nodes.iter().filter(|node| node.inputs.contains(value));
        readers.all(|node| Part::of(body, node) == Some(Part::Element))
    };
    !goes_by_rows(body)
        && body.nodes.len() < 2 * MAX_PRIMITIVES
        && inside.all(|(value, given)| *given != operand || is_element(value))
}

fn known_shapes(graph: &Graph, node: &Node) -> bool {
    let mut types = node.inputs.iter().chain(&node.outputs).map(|v| graph.ty(*v));
    types.all(|ty| ty.shape.to_known().is_some())
}

#[cfg(test)]
mod tests {
    use graph_kernels::Array;

    use crate::graph::Graph;
    use crate::passes::testing::{check, check_unchanged, same_results_on};
    use crate::plan::Plan;

    const GATES: &str = "graph (z: float32[2,16], w: float32[16,8], b: float32[8]) -> (float32[2,8], float32[2,8]) {
      f = strided_slice(z) {axes = [1], begins = [0], ends = [8], steps = [1], masks = [0]} : float32[2,8]
      g = strided_slice(z) {axes = [-1], begins = [-8], ends = [0], steps = [1], masks = [2]} : float32[2,8]
      s = sigmoid(f) : float32[2,8]
      y = fusion (z, w, g, b) : float32[2,8] {
        body (z: float32[2,16], w: float32[16,8], g: float32[2,8], b: float32[8]) {
          m = matmul(z, w) {transpose_a = false, transpose_b = false} : float32[2,8]
          a = add(m, b) : float32[2,8]
          t = mul(a, g) : float32[2,8]
          return t
        }
      }
      return s, y
    }";

    #[test]
    fn slices_are_read_where_they_are() {
        check(
            super::run,
            GATES,
            "graph (z: float32[2,16], w: float32[16,8], b: float32[8]) -> (float32[2,8], float32[2,8]) {
              s = fusion (z) : float32[2,8] {
                body (z: float32[2,16]) {
                  f = strided_slice(z) {axes = [1], begins = [0], ends = [8], steps = [1], masks = [0]} : float32[2,8]
                  s = sigmoid(f) : float32[2,8]
                  return s
                }
              }
              y = fusion (z, w, b) : float32[2,8] {
                body (z: float32[2,16], w: float32[16,8], b: float32[8]) {
                  g = strided_slice(z) {axes = [-1], begins = [-8], ends = [0], steps = [1], masks = [2]} : float32[2,8]
                  m = matmul(z, w) {transpose_a = false, transpose_b = false} : float32[2,8]
                  a = add(m, b) : float32[2,8]
                  t = mul(a, g) : float32[2,8]
                  return t
                }
              }
              return s, y
            }",
        );
    }

    /// Numbers that are all different.
    fn numbers(shape: &[usize]) -> Array {
        let len: usize = shape.iter().product();
        Array::new(shape, (0..len).map(|n| (n as f32 * 0.37).sin()).collect())
    }

    #[test]
    fn results_are_the_same() {
        same_results_on(super::run, GATES, &[numbers(&[2, 16]), numbers(&[16, 8]), numbers(&[8])]);
        let parts = "graph (x: float32[5,70,24], y: float32[3,1,9]) -> float32[3,70,9] {
          a = strided_slice(x) {axes = [0, 2], begins = [1, 3], ends = [4, 12], steps = [1, 1], masks = [0, 0]} : float32[3,70,9]
          b = strided_slice(x) {axes = [2, 0], begins = [15, 0], ends = [0, 3], steps = [1, 1], masks = [2, 0]} : float32[3,70,9]
          c = strided_slice(x) {axes = [1, 0, 2], begins = [69, 4, 0], ends = [70, 5, 9], steps = [1, 1, 1], masks = [0, 0, 0]} : float32[1,1,9]
          d = sub(a, b) : float32[3,70,9]
          e = fusion (d, c, y) : float32[3,70,9] {
            body (d: float32[3,70,9], c: float32[1,1,9], y: float32[3,1,9]) {
              f = mul(d, y) : float32[3,70,9]
              g = add(c, f) : float32[3,70,9]
              return g
            }
          }
          return e
        }";
        same_results_on(super::run, parts, &[numbers(&[5, 70, 24]), numbers(&[3, 1, 9])]);
    }

    #[test]
    fn a_slice_is_no_instruction() {
        let graph: Graph = GATES.parse().unwrap();
        let instructions = |graph: &Graph| Plan::new(graph).instructions.len();
        let fused = super::run(&graph).unwrap();
        assert_eq!([instructions(&graph), instructions(&fused)], [4, 2]);
    }

    #[test]
    fn what_is_read_in_parts_is_not_written_over() {
        // The sum has the shape of x, which dies there.
        let text = "graph (y: float32[2,16]) -> float32[2,16] {
          x = exp(y) : float32[2,16]
          a = strided_slice(x) {axes = [0], begins = [1], ends = [2], steps = [1], masks = [0]} : float32[1,16]
          s = add(x, a) : float32[2,16]
          return s
        }";
        same_results_on(super::run, text, &[numbers(&[2, 16])]);
    }

    #[test]
    fn slices_that_others_read_or_that_are_narrow_or_backward_stay() {
        check_unchanged(
            super::run,
            "graph (x: float32[4,16], w: float32[8,3], n: float32[?,16]) -> (float32[4,8], float32[4,8], float32[4,1], float32[4,16], float32[?,8], float32[4,3]) {
              a = strided_slice(x) {axes = [1], begins = [0], ends = [8], steps = [1], masks = [0]} : float32[4,8]
              b = exp(a) : float32[4,8]
              c = strided_slice(x) {axes = [1], begins = [0], ends = [1], steps = [1], masks = [0]} : float32[4,1]
              d = exp(c) : float32[4,1]
              e = strided_slice(x) {axes = [1], begins = [0], ends = [0], steps = [-1], masks = [3]} : float32[4,16]
              f = exp(e) : float32[4,16]
              g = strided_slice(n) {axes = [1], begins = [0], ends = [8], steps = [1], masks = [0]} : float32[?,8]
              h = exp(g) : float32[?,8]
              i = strided_slice(x) {axes = [1], begins = [0], ends = [8], steps = [1], masks = [0]} : float32[4,8]
              j = fusion (i, w) : float32[4,3] {
                body (i: float32[4,8], w: float32[8,3]) {
                  k = matmul(i, w) {transpose_a = false, transpose_b = false} : float32[4,3]
                  l = exp(k) : float32[4,3]
                  return l
                }
              }
              return a, b, d, f, h, j
            }",
        );
    }
}
