//! Chains of `reshape`, `expand_dims` and `squeeze` become one `reshape`, and reshapes to the same shape are removed. So are shape checks
//! that are known to hold, and sums to the operand's own shape.

use super::patch::Patch;
use super::rewrite::{Edit, Rules, Use, View, rewrite};
use crate::graph::Graph;
use crate::ops::{self, Attr, Attrs, OpDef};

pub(super) fn run(graph: &Graph) -> Option<Patch> {
    rewrite(graph, RULES)
}

static RULES: &Rules = &[
    (&ops::RESHAPE, reshaped),
    (&ops::EXPAND_DIMS, reshaped),
    (&ops::SQUEEZE, reshaped),
    (&ops::RELAX_SHAPE, checked),
    (&ops::ONE_VALUE, unchanged),
    (&ops::BROADCAST_TO, unchanged),
    (&ops::SUM_TO, summed),
];

static RESHAPING: &[&OpDef] = &[&ops::RESHAPE, &ops::EXPAND_DIMS, &ops::SQUEEZE];

fn reshaped(view: &View<'_>, of: &Use<'_>) -> Option<Edit> {
    if let Some(edit) = unchanged(view, of) {
        return Some(edit);
    }
    let inner = view.made_by(of.inputs[0])?;
    if !RESHAPING.contains(&inner.op) || view.shape(inner.inputs[0]).size().is_none() {
        return None;
    }
    // Both shapes are known, so the verifier has checked that they have the same size.
    let shape = view.shape(of.output).to_known()?;
    let shape = shape
        .iter()
        .map(|n| i64::try_from(*n).ok())
        .collect::<Option<Vec<i64>>>()?;
    let attrs = Attrs::new().with("shape", Attr::Ints(shape));
    Some(Edit::primitive(&ops::RESHAPE, attrs, &inner.inputs[..1]))
}

/// The operand, if it has the result's shape already.
fn unchanged(view: &View<'_>, of: &Use<'_>) -> Option<Edit> {
    let shape = view.shape(of.inputs[0]).to_known()?;
    (view.shape(of.output).to_known()? == shape).then(|| Edit::Value(of.inputs[0]))
}

/// The operand, if its shape is certainly one of the allowed ones.
fn checked(view: &View<'_>, of: &Use<'_>) -> Option<Edit> {
    let allowed = of.attrs.shape("shape").ok()?;
    allowed
        .covers(view.shape(of.inputs[0]))
        .then(|| Edit::Value(of.inputs[0]))
}

/// The operand, if it has the sizes already to which it would be summed.
fn summed(view: &View<'_>, of: &Use<'_>) -> Option<Edit> {
    let sizes = view.integers(of.inputs[1])?;
    let shape = view.shape(of.inputs[0]).to_known()?;
    let same = sizes
        .iter()
        .map(|size| usize::try_from(*size).ok())
        .eq(shape.into_iter().map(Some));
    same.then(|| Edit::Value(of.inputs[0]))
}

#[cfg(test)]
mod tests {
    use crate::passes::testing::{check, check_unchanged};

    #[test]
    fn chains_are_one_reshape_from_the_start() {
        check(
            super::run,
            "graph (x: float32[2,3]) -> (float32[6], float32[2,3], float32[1,6]) {
              a = expand_dims(x) {axis = 0} : float32[1,2,3]
              b = reshape(a) {shape = [-1]} : float32[6]
              c = squeeze(a) {axes = [0]} : float32[2,3]
              d = expand_dims(b) {axis = 0} : float32[1,6]
              return b, c, d
            }",
            "graph (x: float32[2,3]) -> (float32[6], float32[2,3], float32[1,6]) {
              a = expand_dims(x) {axis = 0} : float32[1,2,3]
              b = reshape(x) {shape = [6]} : float32[6]
              c = reshape(x) {shape = [2, 3]} : float32[2,3]
              d = reshape(a) {shape = [1, 6]} : float32[1,6]
              return b, c, d
            }",
        );
    }

    #[test]
    fn what_changes_nothing_goes() {
        check(
            super::run,
            "graph (x: float32[2,3], y: float32[?]) -> (float32[2,3], float32[2,3], float32[*], float32[2,3], float32[?,?], float32[?]) {
              n = constant [2, 3] : int64[2]
              m = constant [3] : int64[1]
              e = sum_to(x, n) : float32[?,?]
              f = sum_to(x, m) : float32[?]
              a = reshape(x) {shape = [2, -1]} : float32[2,3]
              b = squeeze(x) {axes = []} : float32[2,3]
              c = relax_shape(y) {shape = dims[*]} : float32[*]
              d = broadcast_to(x) {shape = [2, 3]} : float32[2,3]
              return a, b, c, d, e, f
            }",
            "graph (x: float32[2,3], y: float32[?]) -> (float32[2,3], float32[2,3], float32[?], float32[2,3], float32[2,3], float32[?]) {
              n = constant [2, 3] : int64[2]
              m = constant [3] : int64[1]
              f = sum_to(x, m) : float32[?]
              return x, x, y, x, x, f
            }",
        );
    }

    #[test]
    fn what_may_fail_stays() {
        check_unchanged(
            super::run,
            "graph (x: float32[?], y: float32[*]) -> (float32[1,4], float32[2]) {
              a = reshape(x) {shape = [2, 2]} : float32[2,2]
              b = reshape(a) {shape = [1, 4]} : float32[1,4]
              c = relax_shape(y) {shape = dims[2]} : float32[2]
              return b, c
            }",
        );
    }
}
