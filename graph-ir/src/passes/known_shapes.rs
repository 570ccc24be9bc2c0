//! Replaces ops that compute a known shape or size by constants.

use graph_kernels::Array;

use super::patch::Patch;
use super::rewrite::{Edit, Rules, Use, View, rewrite};
use crate::graph::Graph;
use crate::ops;

pub(super) fn run(graph: &Graph) -> Option<Patch> {
    rewrite(graph, RULES)
}

/// Sizes that don't fit into `int32` aren't replaced, so the run reports them.
static RULES: &Rules = &[
    (&ops::RANK_OF, |view, of| {
        let rank = view.shape(of.inputs[0]).rank()?;
        known(view, of, Array::scalar(i32::try_from(rank).ok()?))
    }),
    (&ops::SIZE_OF, |view, of| {
        let size = view.shape(of.inputs[0]).size()?;
        known(view, of, Array::scalar(i32::try_from(size).ok()?))
    }),
    (&ops::SHAPE_OF, |view, of| {
        let dims = view.shape(of.inputs[0]).to_known()?;
        let dims = dims.iter().map(|d| i32::try_from(*d).ok());
        let dims = dims.collect::<Option<Vec<i32>>>()?;
        known(view, of, Array::new(&[dims.len()], dims))
    }),
];

/// The constant, unless removing the operand would hide an error.
fn known(view: &View<'_>, of: &Use<'_>, constant: Array) -> Option<Edit> {
    view.can_go(of.inputs[0])
        .then_some(Edit::Constant(constant))
}

#[cfg(test)]
mod tests {
    use crate::passes::testing::{check, check_unchanged};

    #[test]
    fn known_shapes_are_constants() {
        check(
            super::run,
            "graph (x: float32[2,3], y: float32[?,?]) -> (int32[2], int32[], int32[]) {
              a = shape_of(x) : int32[2]
              b = size_of(x) : int32[]
              c = rank_of(y) : int32[]
              return a, b, c
            }",
            "graph (x: float32[2,3], y: float32[?,?]) -> (int32[2], int32[], int32[]) {
              a = constant [2, 3] : int32[2]
              b = constant 6 : int32[]
              c = constant 2 : int32[]
              return a, b, c
            }",
        );
    }

    #[test]
    fn an_index_within_the_sizes_hides_no_error() {
        check(
            super::run,
            "graph (x: float32[2,3], y: float32[?,3]) -> (int32[1], int32[1], int32[1]) {
              first = constant -2 : int32[]
              third = constant 2 : int32[]
              a = index(x, first) : float32[3]
              b = index(x, third) : float32[3]
              c = index(y, first) : float32[3]
              d = shape_of(a) : int32[1]
              e = shape_of(b) : int32[1]
              f = shape_of(c) : int32[1]
              return d, e, f
            }",
            "graph (x: float32[2,3], y: float32[?,3]) -> (int32[1], int32[1], int32[1]) {
              first = constant -2 : int32[]
              third = constant 2 : int32[]
              a = index(x, first) : float32[3]
              b = index(x, third) : float32[3]
              c = index(y, first) : float32[3]
              d = constant [3] : int32[1]
              e = shape_of(b) : int32[1]
              f = shape_of(c) : int32[1]
              return d, e, f
            }",
        );
    }

    #[test]
    fn what_is_unknown_or_may_fail_is_asked_when_run() {
        check_unchanged(
            super::run,
            "graph (x: int32[2], y: float32[?]) -> (int32[1], int32[1]) {
              a = shape_of(y) : int32[1]
              q = div(x, x) : int32[2]
              b = shape_of(q) : int32[1]
              return a, b
            }",
        );
    }
}
