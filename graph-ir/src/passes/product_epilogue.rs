//! Fusion of a matrix product or a convolution with the elementwise primitives that are its only reader, such as a bias and an activation:
//! they run on values of the product that are still in cache.

use super::fuse::{Group, MAX_PRIMITIVES, Uses, elements, fuse, may_be_equal, segments};
use super::patch::Patch;
use crate::graph::fusion::FusionRole;
use crate::graph::{Graph, Node};

pub(super) fn run(graph: &Graph) -> Option<Patch> {
    let uses = Uses::of(graph);
    let segments = segments(graph);
    let group = |(i, node)| {
        let product = product(graph, &uses, node)?;
        (segments[product] == segments[i]).then(|| vec![product, i])
    };
    let groups: Vec<Group> = graph.nodes.iter().enumerate().filter_map(group).collect();
    fuse(graph, &groups)
}

/// The product of the same shape that only this elementwise node reads. If there are several, the last one, because its
/// values are most likely in cache.
fn product(graph: &Graph, uses: &Uses, node: &Node) -> Option<usize> {
    if elements(graph, node)? >= MAX_PRIMITIVES {
        return None;
    }
    let shape = &graph.ty(node.outputs[0]).shape;
    let products = node.inputs.iter().filter_map(|operand| {
        let product = uses.only_use_of(*operand)?;
        let is_product = FusionRole::of(graph, &graph.nodes[product]) == Some(FusionRole::Product);
        (is_product && may_be_equal(&graph.ty(*operand).shape, shape)).then_some(product)
    });
    products.max()
}

#[cfg(test)]
mod tests {
    use crate::passes::testing::{check, check_unchanged};

    #[test]
    fn bias_and_activation_follow_the_product() {
        check(
            super::run,
            "graph (x: float32[?,8], w: float32[8,4], b: float32[4]) -> float32[?,4] {
              m = matmul(x, w) {transpose_a = false, transpose_b = false} : float32[?,4]
              y = fusion (m, b) : float32[?,4] {
                body (m: float32[?,4], b: float32[4]) {
                  a = add(m, b) : float32[?,4]
                  r = relu(a) : float32[?,4]
                  return r
                }
              }
              n = matmul(y, w) {transpose_a = false, transpose_b = true} : float32[?,8]
              z = tanh(n) : float32[?,8]
              k = reduce_sum(z) {axes = [], keep_dims = false} : float32[]
              return y
            }",
            "graph (x: float32[?,8], w: float32[8,4], b: float32[4]) -> float32[?,4] {
              y = fusion (x, w, b) : float32[?,4] {
                body (x: float32[?,8], w: float32[8,4], b: float32[4]) {
                  m = matmul(x, w) {transpose_a = false, transpose_b = false} : float32[?,4]
                  a = add(m, b) : float32[?,4]
                  r = relu(a) : float32[?,4]
                  return r
                }
              }
              z = fusion (y, w) : float32[?,8] {
                body (y: float32[?,4], w: float32[8,4]) {
                  n = matmul(y, w) {transpose_a = false, transpose_b = true} : float32[?,8]
                  z = tanh(n) : float32[?,8]
                  return z
                }
              }
              k = reduce_sum(z) {axes = [], keep_dims = false} : float32[]
              return y
            }",
        );
    }

    #[test]
    fn bias_residual_and_activation_follow_a_convolution() {
        check(
            super::run,
            "graph (x: float32[1,4,4,3], w: float32[3,3,3,8], b: float32[8], r: float32[1,2,2,8]) -> float32[1,2,2,8] {
              c = conv2d(x, w) {strides = [1, 1], dilations = [1, 1], padding = \"VALID\", pads = [0, 0, 0, 0]} : float32[1,2,2,8]
              y = fusion (r, c, b) : float32[1,2,2,8] {
                body (r: float32[1,2,2,8], c: float32[1,2,2,8], b: float32[8]) {
                  s = add(c, b) : float32[1,2,2,8]
                  t = add(r, s) : float32[1,2,2,8]
                  u = relu(t) : float32[1,2,2,8]
                  return u
                }
              }
              return y
            }",
            "graph (x: float32[1,4,4,3], w: float32[3,3,3,8], b: float32[8], r: float32[1,2,2,8]) -> float32[1,2,2,8] {
              y = fusion (x, w, r, b) : float32[1,2,2,8] {
                body (x: float32[1,4,4,3], w: float32[3,3,3,8], r: float32[1,2,2,8], b: float32[8]) {
                  c = conv2d(x, w) {strides = [1, 1], dilations = [1, 1], padding = \"VALID\", pads = [0, 0, 0, 0]} : float32[1,2,2,8]
                  s = add(c, b) : float32[1,2,2,8]
                  t = add(r, s) : float32[1,2,2,8]
                  u = relu(t) : float32[1,2,2,8]
                  return u
                }
              }
              return y
            }",
        );
    }

    #[test]
    fn a_product_that_is_broadcast_or_used_elsewhere_stays() {
        check_unchanged(
            super::run,
            "graph (x: float32[1,8], w: float32[8,4], b: float32[5,4]) -> (float32[5,4], float32[1,4], float32[1,4]) {
              m = matmul(x, w) {transpose_a = false, transpose_b = false} : float32[1,4]
              y = add(m, b) : float32[5,4]
              n = matmul(x, w) {transpose_a = false, transpose_b = false} : float32[1,4]
              z = relu(n) : float32[1,4]
              return y, z, n
            }",
        );
    }

    #[test]
    fn an_operand_of_both_stays_outside() {
        check(
            super::run,
            "graph (x: float32[4,4], w: float32[4,4]) -> float32[4,4] {
              a = exp(x) : float32[4,4]
              m = matmul(a, w) {transpose_a = false, transpose_b = false} : float32[4,4]
              n = matmul(w, a) {transpose_a = false, transpose_b = false} : float32[4,4]
              y = fusion (a, n, m) : float32[4,4] {
                body (a: float32[4,4], n: float32[4,4], m: float32[4,4]) {
                  b = add(a, n) : float32[4,4]
                  c = add(b, m) : float32[4,4]
                  return c
                }
              }
              return y
            }",
            "graph (x: float32[4,4], w: float32[4,4]) -> float32[4,4] {
              a = exp(x) : float32[4,4]
              m = matmul(a, w) {transpose_a = false, transpose_b = false} : float32[4,4]
              y = fusion (w, a, m) : float32[4,4] {
                body (w: float32[4,4], a: float32[4,4], m: float32[4,4]) {
                  n = matmul(w, a) {transpose_a = false, transpose_b = false} : float32[4,4]
                  b = add(a, n) : float32[4,4]
                  c = add(b, m) : float32[4,4]
                  return c
                }
              }
              return y
            }",
        );
    }
}
