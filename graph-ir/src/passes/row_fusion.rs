//! Fusion of computations on rows: elementwise primitives and reductions over the last axis whose results are broadcast over the
//! row again, as in layer normalization. The values of a row stay in the nearest caches, and only the result is written to memory.

use super::fuse::fuse;
use super::groups::groups;
use super::patch::Patch;
use crate::graph::fusion::{FusionRole, is_of_rows};
use crate::graph::{Graph, Node, Shape};

/// The maximum length of a row: a few rows should fit into a near cache.
const MAX_ROW: usize = 8192;

pub(super) fn run(graph: &Graph) -> Option<Patch> {
    let part = |node: &Node| FusionRole::of(graph, node);
    let is_member = |node: &Node| {
        matches!(
            part(node),
            Some(FusionRole::Element | FusionRole::Reduction)
        )
    };
    let fits = |node: &Node, rows: &Shape| {
        let len = rows.dims().and_then(|dims| *dims.last()?);
        len.is_some_and(|len| len <= MAX_ROW) && is_of_rows(graph, node, rows)
    };
    let mut groups = groups(graph, is_member, fits);
    // A group without a reduction has no rows.
    let reduces = |i: &usize| part(&graph.nodes[*i]) == Some(FusionRole::Reduction);
    groups.retain(|group| group.iter().any(reduces));
    fuse(graph, &groups)
}

#[cfg(test)]
mod tests {
    use crate::passes::testing::{check, check_unchanged};

    #[test]
    fn a_layer_normalization_is_one_node() {
        check(
            super::run,
            "graph (x: float32[?,8], scale: float32[8]) -> float32[?,8] {
              m = reduce_mean(x) {axes = [1], keep_dims = true} : float32[?,1]
              c = sub(x, m) : float32[?,8]
              s = square(c) : float32[?,8]
              v = reduce_mean(s) {axes = [-1], keep_dims = true} : float32[?,1]
              e = constant 0.001 : float32[]
              w = add(v, e) : float32[?,1]
              r = rsqrt(w) : float32[?,1]
              n = mul(c, r) : float32[?,8]
              y = mul(n, scale) : float32[?,8]
              return y
            }",
            "graph (x: float32[?,8], scale: float32[8]) -> float32[?,8] {
              y = fusion (x, scale) : float32[?,8] {
                body (x: float32[?,8], scale: float32[8]) {
                  m = reduce_mean(x) {axes = [1], keep_dims = true} : float32[?,1]
                  c = sub(x, m) : float32[?,8]
                  s = square(c) : float32[?,8]
                  v = reduce_mean(s) {axes = [-1], keep_dims = true} : float32[?,1]
                  e = constant 0.001 : float32[]
                  w = add(v, e) : float32[?,1]
                  r = rsqrt(w) : float32[?,1]
                  n = mul(c, r) : float32[?,8]
                  y = mul(n, scale) : float32[?,8]
                  return y
                }
              }
              return y
            }",
        );
    }

    #[test]
    fn a_reduction_that_others_read_stays() {
        check(
            super::run,
            "graph (x: float32[4,3]) -> (float32[4,3], float32[4,1]) {
              m = reduce_max(x) {axes = [1], keep_dims = true} : float32[4,1]
              c = sub(x, m) : float32[4,3]
              e = exp(c) : float32[4,3]
              s = reduce_sum(e) {axes = [1], keep_dims = true} : float32[4,1]
              y = div(e, s) : float32[4,3]
              return y, m
            }",
            "graph (x: float32[4,3]) -> (float32[4,3], float32[4,1]) {
              m = reduce_max(x) {axes = [1], keep_dims = true} : float32[4,1]
              y = fusion (x, m) : float32[4,3] {
                body (x: float32[4,3], m: float32[4,1]) {
                  c = sub(x, m) : float32[4,3]
                  e = exp(c) : float32[4,3]
                  s = reduce_sum(e) {axes = [1], keep_dims = true} : float32[4,1]
                  y = div(e, s) : float32[4,3]
                  return y
                }
              }
              return y, m
            }",
        );
    }

    #[test]
    fn other_axes_other_rows_long_ones_and_effects_keep_them_apart() {
        check_unchanged(
            super::run,
            "graph (x: float32[4,3], z: float32[4,5], u: float32[4,?], l: float32[2,9000]) -> (float32[4,3], float32[4,3], float32[4,?], float32[2,9000], float32[4,3], float32[4,1]) {
              a = reduce_sum(x) {axes = [0], keep_dims = true} : float32[1,3]
              b = sub(x, a) : float32[4,3]
              c = reduce_sum(z) {axes = [1], keep_dims = true} : float32[4,1]
              d = sub(x, c) : float32[4,3]
              e = reduce_sum(u) {axes = [1], keep_dims = true} : float32[4,1]
              f = sub(u, e) : float32[4,?]
              g = reduce_sum(l) {axes = [1], keep_dims = true} : float32[2,1]
              h = sub(l, g) : float32[2,9000]
              i = reduce_sum(x) {axes = [1], keep_dims = true} : float32[4,1]
              print(\"between\")
              j = sub(x, i) : float32[4,3]
              k = exp(x) : float32[4,3]
              m = reduce_sum(k) {axes = [1], keep_dims = true} : float32[4,1]
              return b, d, f, h, j, m
            }",
        );
    }
}
