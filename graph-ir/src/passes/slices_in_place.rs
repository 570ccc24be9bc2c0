//! Slices, rows and rolled arrays that only elementwise primitives read become part of their fusion, which reads them without a copy. In a recurrent
//! network, the gates are slices of one product, the inputs are rows of another, and in the gradient the states are rows of a list. This is
//! the last of the fusing passes, so a fused slice hides nothing from the others. In a step of a cellular automaton or a stencil on a torus, the
//! neighbours are rolled arrays.
//!
//! If shapes are unknown, a slice isn't fused. Neither is a row or roll of an array that is changed in place: the change would have to wait
//! until the fusion has run.

use super::fuse::{Group, MAX_PRIMITIVES, Uses, elements, fuse, segments};
use super::patch::Patch;
use crate::graph::fusion::{FusionRole, goes_by_rows};
use crate::graph::{Graph, Node, Op, ValueId};
use crate::types::SMALL;

pub(super) fn run(graph: &Graph) -> Option<Patch> {
    let uses = Uses::of(graph);
    let segments = segments(graph);
    let changes = changed(graph);
    let group = |(i, node): (usize, &Node)| {
        let takes_slices = known_shapes(graph, node);
        let takes_rows = !is_single(graph, node.outputs.first()?);
        let is_part = |read: &usize| {
            let read = &graph.nodes[*read];
            match FusionRole::of(graph, read) {
                Some(FusionRole::Slice) => takes_slices,
                Some(FusionRole::Row) => {
                    takes_rows
                        && !is_single(graph, &read.outputs[0])
                        && !changes[read.inputs[0].index()]
                }
                // Each element of the result has one of the array. A small tensor is rolled by moves of scalars.
                Some(FusionRole::Roll) => {
                    let shape = |node: &Node| &graph.ty(node.outputs[0]).shape;
                    takes_slices
                        && shape(read) == shape(node)
                        && shape(read).size().is_some_and(|size| size > SMALL)
                        && !has_product(node)
                        && !changes[read.inputs[0].index()]
                }
                _ => false,
            }
        };
        let reads = node.inputs.iter().filter(|v| takes_part(graph, node, **v));
        let reads = reads.filter_map(|v| uses.only_use_of(*v));
        let mut group: Group = reads
            .filter(|read| segments[*read] == segments[i])
            .filter(is_part)
            .collect();
        group.sort_unstable();
        group.dedup();
        (!group.is_empty()).then(|| group.into_iter().chain([i]).collect())
    };
    let groups: Vec<Group> = graph.nodes.iter().enumerate().filter_map(group).collect();
    fuse(graph, &groups)
}

/// True if a node reads an operand only elementwise, in a fusion that can contain slices.
fn takes_part(graph: &Graph, node: &Node, operand: ValueId) -> bool {
    let Op::Fusion { body } = &node.op else {
        return elements(graph, node).is_some();
    };
    let mut inside = body.inputs.iter().zip(&node.inputs);
    let is_element = |value: &ValueId| {
        let mut readers = body.nodes.iter().filter(|node| node.inputs.contains(value));
        readers.all(|node| FusionRole::of(body, node) == Some(FusionRole::Element))
    };
    !goes_by_rows(body)
        && body.nodes.len() < 2 * MAX_PRIMITIVES
        && inside.all(|(value, given)| *given != operand || is_element(value))
}

/// True for a fusion that begins with a product, which its chain overwrites part by part.
fn has_product(node: &Node) -> bool {
    let Op::Fusion { body } = &node.op else {
        return false;
    };
    let mut nodes = body.nodes.iter();
    nodes.any(|node| FusionRole::of(body, node) == Some(FusionRole::Product))
}

/// True for a value with a single element, which word programs handle faster.
fn is_single(graph: &Graph, value: &ValueId) -> bool {
    graph.ty(*value).shape.size() == Some(1)
}

/// For each value, whether a node that isn't a pure function reads it, which may change it in place.
fn changed(graph: &Graph) -> Vec<bool> {
    let mut changed = vec![false; graph.values.len()];
    for node in &graph.nodes {
        let is_pure = match &node.op {
            Op::Fusion { .. } => true,
            Op::Primitive(op, _) => op.in_place.is_none(),
            _ => false,
        };
        if !is_pure {
            node.inputs.iter().for_each(|v| changed[v.index()] = true);
        }
    }
    changed
}

fn known_shapes(graph: &Graph, node: &Node) -> bool {
    let mut types = node
        .inputs
        .iter()
        .chain(&node.outputs)
        .map(|v| graph.ty(*v));
    types.all(|ty| ty.shape.is_known())
}

#[cfg(test)]
mod tests {
    use graph_kernels::Array;

    use crate::device::testing::NoHost;
    use crate::device::{Program, Storage};
    use crate::graph::Graph;
    use crate::passes::driver::everywhere;
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

    /// Distinct numbers.
    fn numbers(shape: &[usize]) -> Array {
        let len: usize = shape.iter().product();
        Array::new(shape, (0..len).map(|n| (n as f32 * 0.37).sin()).collect())
    }

    #[test]
    fn results_are_the_same() {
        same_results_on(
            super::run,
            GATES,
            &[numbers(&[2, 16]), numbers(&[16, 8]), numbers(&[8])],
        );
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
        same_results_on(
            super::run,
            parts,
            &[numbers(&[5, 70, 24]), numbers(&[3, 1, 9])],
        );
    }

    /// A step over neighbours on a torus, and one in which a shift is wrong.
    const TORUS: &str = "graph (x: float32[6,50], s: int32[1]) -> float32[6,50] {
      up = constant [-1] : int32[1]
      far = constant [107] : int32[1]
      a = roll(x, up) {axes = [0]} : float32[6,50]
      b = roll(x, far) {axes = [-1]} : float32[6,50]
      c = roll(x, s) {axes = [1]} : float32[6,50]
      d = add(a, b) : float32[6,50]
      e = fusion (d, c, x) : float32[6,50] {
        body (d: float32[6,50], c: float32[6,50], x: float32[6,50]) {
          f = mul(c, d) : float32[6,50]
          g = sub(x, f) : float32[6,50]
          return g
        }
      }
      return e
    }";

    #[test]
    fn rolled_arrays_are_read_where_they_are() {
        let graph: Graph = TORUS.parse().unwrap();
        let fused = everywhere(super::run, &graph).unwrap();
        let names: Vec<&str> = fused.nodes.iter().map(|node| node.op.name()).collect();
        assert_eq!(names, ["constant", "constant", "fusion", "fusion"]);
        for shift in [0, 1, -1, 49, 50, -150, 1_000_003] {
            let shift = Array::new(&[1], vec![shift]);
            same_results_on(super::run, TORUS, &[numbers(&[6, 50]), shift]);
        }
    }

    #[test]
    fn rolled_arrays_of_a_size_of_their_own_small_ones_and_those_behind_products_stay() {
        check_unchanged(
            super::run,
            "graph (y: float32[2,8], s: int32[1]) -> float32[2,8] {
              a = roll(y, s) {axes = [1]} : float32[2,8]
              b = mul(y, a) : float32[2,8]
              return b
            }",
        );
        check_unchanged(
            super::run,
            "graph (x: float32[6,50], r: float32[50], m: float32[6,6], s: int32[1], t: int32[2]) -> (float32[6,50], float32[6,50], float32[6,50]) {
              a = roll(r, s) {axes = [0]} : float32[50]
              b = add(x, a) : float32[6,50]
              c = roll(x, t) {axes = [0, 1]} : float32[6,50]
              d = exp(c) : float32[6,50]
              e = roll(x, s) {axes = [0]} : float32[6,50]
              f = fusion (m, x, e) : float32[6,50] {
                body (m: float32[6,6], x: float32[6,50], e: float32[6,50]) {
                  p = matmul(m, x) {transpose_a = false, transpose_b = false} : float32[6,50]
                  q = add(p, e) : float32[6,50]
                  return q
                }
              }
              return b, d, f
            }",
        );
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
        // The sum has the same shape as x, which is dead afterwards.
        let text = "graph (y: float32[2,16]) -> float32[2,16] {
          x = exp(y) : float32[2,16]
          a = strided_slice(x) {axes = [0], begins = [1], ends = [2], steps = [1], masks = [0]} : float32[1,16]
          s = add(x, a) : float32[2,16]
          return s
        }";
        same_results_on(super::run, text, &[numbers(&[2, 16])]);
        let text = "graph (y: float32[2,16], shift: int32[1]) -> float32[2,16] {
          x = exp(y) : float32[2,16]
          a = roll(x, shift) {axes = [1]} : float32[2,16]
          s = add(x, a) : float32[2,16]
          return s
        }";
        let shift = Array::new(&[1], vec![3]);
        same_results_on(super::run, text, &[numbers(&[2, 16]), shift]);
    }

    const STEPS: &str = "graph (xs: float32[5,2,4], w: float32[4,4], h: float32[2,4]) -> (float32[2,4], float32[?,2,4]) {
      zero = constant 0 : int32[]
      five = constant 5 : int32[]
      l = list_new(five) {dtype = float32, shape = dims[?,2,4]} : float32[?,2,4]
      i, y, states = while_loop (zero, h, l; xs, w, five) : int32[], float32[2,4], float32[?,2,4] {
        cond (i: int32[], h: float32[2,4], l: float32[?,2,4], xs: float32[5,2,4], w: float32[4,4], n: int32[]) {
          goes = less(i, n) : bool[]
          return goes
        }
        body (i: int32[], h: float32[2,4], l: float32[?,2,4], xs: float32[5,2,4], w: float32[4,4], n: int32[]) {
          one = constant 1 : int32[]
          two = constant 2.0 : float32[]
          x = index(xs, i) : float32[2,4]
          s = list_read(l, i) {shape = dims[?,2,4]} : float32[2,4]
          e = exp(s) : float32[2,4]
          y = fusion (h, w, x) : float32[2,4] {
            body (h: float32[2,4], w: float32[4,4], x: float32[2,4]) {
              m = matmul(h, w) {transpose_a = false, transpose_b = false} : float32[2,4]
              a = add(m, x) : float32[2,4]
              t = tanh(a) : float32[2,4]
              return t
            }
          }
          z = mul(y, e) : float32[2,4]
          k = list_write(l, i, z) {grows = true} : float32[?,2,4]
          j = add(i, one) : int32[]
          return j, z, k
        }
      }
      return y, states
    }";

    #[test]
    fn rows_are_read_where_they_are_unless_others_are_written_there() {
        let graph: Graph = STEPS.parse().unwrap();
        let fused = everywhere(super::run, &graph).unwrap();
        let body = fused
            .nodes
            .iter()
            .find_map(|node| node.op.subgraphs().get(1).copied())
            .unwrap();
        let names: Vec<&str> = body.nodes.iter().map(|node| node.op.name()).collect();
        assert_eq!(
            names,
            [
                "constant",
                "list_read",
                "exp",
                "fusion",
                "mul",
                "list_write",
                "add"
            ]
        );
        same_results_on(
            super::run,
            STEPS,
            &[numbers(&[5, 2, 4]), numbers(&[4, 4]), numbers(&[2, 4])],
        );
    }

    #[test]
    fn a_row_that_is_not_there_is_an_error_of_its_own_line() {
        let text = "graph (xs: float32[5,4], i: int32[]) -> float32[4] {
          x = index(xs, i) : float32[4]
          e = exp(x) : float32[4]
          y = neg(e) : float32[4]
          return y
        }";
        let graph: Graph = text.parse().unwrap();
        let fused = super::run(&graph).unwrap();
        let run = |graph: &Graph, i: i32| {
            let inputs = [numbers(&[5, 4]), Array::scalar(i)].map(Storage::from);
            let outputs = Plan::new(graph).run(&inputs.each_ref(), &mut NoHost);
            outputs
                .map(|outputs| {
                    outputs[0]
                        .to_host()
                        .unwrap()
                        .values::<f32>()
                        .unwrap()
                        .to_vec()
                })
                .map_err(|e| e.to_string())
        };
        for i in [-6, -5, -1, 0, 4, 5] {
            assert_eq!(run(&fused, i), run(&graph, i), "{i}");
            assert_eq!(run(&fused, i).is_ok(), (-5..5).contains(&i));
        }
    }

    #[test]
    fn a_row_of_a_list_in_which_nothing_was_written_is_zeros() {
        let text = "graph (i: int32[], y: float32[1]) -> float32[3] {
          two = constant 2 : int32[]
          l = list_new(two) {dtype = float32, shape = dims[?,?]} : float32[*]
          s = list_read(l, i) {shape = dims[?,3]} : float32[3]
          c = cos(s) : float32[3]
          t = add(c, y) : float32[3]
          return t
        }";
        same_results_on(super::run, text, &[Array::scalar(1), numbers(&[1])]);
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
