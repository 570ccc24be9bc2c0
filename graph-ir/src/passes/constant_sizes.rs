//! Sizes and bounds that are constant operands become attributes. Then more is known about the result's shape, and the passes for
//! reshapes and slices apply.

use super::patch::Patch;
use super::rewrite::{Edit, Rules, Use, View, rewrite};
use crate::graph::{Graph, ValueId};
use crate::ops::{self, Attr, Attrs, OpDef};

pub(super) fn run(graph: &Graph) -> Option<Patch> {
    rewrite(graph, RULES)
}

static RULES: &Rules = &[
    (&ops::RESHAPE_TO, |view, of| {
        list(view, of, &ops::RESHAPE, "shape")
    }),
    (&ops::FILL_TO, |view, of| {
        list(view, of, &ops::FILL, "shape")
    }),
    (&ops::BROADCAST_AS, |view, of| {
        list(view, of, &ops::BROADCAST_TO, "shape")
    }),
    (&ops::TILE_BY, |view, of| {
        list(view, of, &ops::TILE, "multiples")
    }),
    (&ops::SLICE_TO, |view, of| {
        list(view, of, &ops::SLICE, "sizes")
    }),
    (&ops::SLICE, sized),
    (&ops::PAD_BY, |view, of| {
        let (last, others) = of.inputs.split_last()?;
        let pairs = view.integers(*last)?;
        let side = |n: usize| Attr::Ints(pairs.iter().skip(n).step_by(2).copied().collect());
        let attrs = Attrs::new().with("before", side(0)).with("after", side(1));
        Some(Edit::primitive(&ops::PAD, attrs, others))
    }),
    (&ops::STATELESS_UNIFORM, |view, of| drawn(view, of, 1)),
    (&ops::STATELESS_NORMAL, |view, of| drawn(view, of, 1)),
    (&ops::STATELESS_TRUNCATED_NORMAL, |view, of| {
        drawn(view, of, 1)
    }),
    (&ops::STATELESS_BITS, |view, of| drawn(view, of, 1)),
    (&ops::STATELESS_INTEGERS, |view, of| drawn(view, of, 3)),
    (&ops::SLICE_ROWS, |view, of| slice(view, of, 0, 0, 1)),
    (&ops::SLICE_AXIS, |view, of| {
        let (axis, mask) = (of.attrs.int("axis").ok()?, of.attrs.int("mask").ok()?);
        slice(view, of, axis, mask, integer(view, of, 3)?)
    }),
];

/// The op that takes its last operand, a list of integers, as an attribute instead.
fn list(view: &View<'_>, of: &Use<'_>, op: &'static OpDef, attr: &'static str) -> Option<Edit> {
    let (last, others) = of.inputs.split_last()?;
    let attrs = Attrs::new().with(attr, Attr::Ints(view.integers(*last)?));
    Some(Edit::primitive(op, attrs, others))
}

/// Replaces sizes that mean "all the rest of the axis" by numbers, where the axis's size and the start of the slice are known.
fn sized(view: &View<'_>, of: &Use<'_>) -> Option<Edit> {
    let mut sizes = of.attrs.ints("sizes").ok()?.to_vec();
    let mut changed = false;
    for (axis, whole) in view.shape(of.inputs[0]).dims()?.iter().enumerate() {
        let Some(size) = sizes.get_mut(axis).filter(|size| **size == -1) else {
            continue;
        };
        let whole = whole.and_then(|whole| i64::try_from(whole).ok());
        let begin = number_at(view, of.inputs[1], axis).filter(|begin| *begin >= 0);
        let left = whole
            .zip(begin)
            .and_then(|(whole, begin)| whole.checked_sub(begin));
        if let Some(left) = left.filter(|left| *left >= 0) {
            *size = left;
            changed = true;
        }
    }
    let attrs = Attrs::new().with("sizes", Attr::Ints(sizes));
    changed.then(|| Edit::primitive(&ops::SLICE, attrs, of.inputs))
}

/// An element of a vector that is constant, or that was stacked from scalars of which this element is constant.
fn number_at(view: &View<'_>, vector: ValueId, at: usize) -> Option<i64> {
    if let Some(numbers) = view.integers(vector) {
        return numbers.get(at).copied();
    }
    let stack = view
        .made_by(vector)
        .filter(|made_by| made_by.op == &ops::STACK)?;
    let one = view.integers(*stack.inputs.get(at)?)?;
    let is_scalar = view.shape(vector).rank() == Some(1);
    one.first().copied().filter(|_| is_scalar)
}

/// A random op with its operand of sizes turned into an attribute; `needed` operands come before that.
fn drawn(view: &View<'_>, of: &Use<'_>, needed: usize) -> Option<Edit> {
    let (others, sizes) = of.inputs.split_at_checked(needed)?;
    let mut attrs = of.attrs.clone();
    attrs[0].1 = Attr::Ints(view.integers(*sizes.first()?)?);
    Some(Edit::primitive(of.op, attrs, others))
}

/// The value of an operand that is a single constant integer.
fn integer(view: &View<'_>, of: &Use<'_>, operand: usize) -> Option<i64> {
    match view.integers(*of.inputs.get(operand)?)?[..] {
        [i] => Some(i),
        _ => None,
    }
}

/// The slice along one axis whose bounds are the second and the third operand.
fn slice(view: &View<'_>, of: &Use<'_>, axis: i64, mask: i64, step: i64) -> Option<Edit> {
    let one = |value: i64| Attr::Ints(vec![value]);
    let attrs = Attrs::new()
        .with("axes", one(axis))
        .with("begins", one(integer(view, of, 1)?))
        .with("ends", one(integer(view, of, 2)?))
        .with("steps", one(step))
        .with("masks", one(mask));
    Some(Edit::primitive(&ops::STRIDED_SLICE, attrs, &of.inputs[..1]))
}

#[cfg(test)]
mod tests {
    use crate::passes::testing::{check, check_unchanged};

    #[test]
    fn constant_sizes_become_attributes() {
        check(
            super::run,
            "graph (x: float32[2,3], y: float32[]) -> (float32[?,?], float32[?], float32[?,?], float32[?,?], float32[?,?], float32[?,?]) {
              s = constant [3, 2] : int32[2]
              n = constant [4] : int64[1]
              p = constant [0, 1, 2, 3] : int32[2,2]
              a = reshape_to(x, s) : float32[?,?]
              b = fill_to(y, n) : float32[?]
              c = tile_by(x, s) : float32[?,?]
              d = pad_by(x, y, p) : float32[?,?]
              e = broadcast_as(y, s) : float32[?,?]
              b0 = constant [0, 1] : int32[2]
              l = constant [1, -1] : int32[2]
              f = slice_to(x, b0, l) : float32[?,?]
              return a, b, c, d, e, f
            }",
            "graph (x: float32[2,3], y: float32[]) -> (float32[3,2], float32[4], float32[6,6], float32[3,8], float32[3,2], float32[1,?]) {
              s = constant [3, 2] : int32[2]
              n = constant [4] : int64[1]
              p = constant [0, 1, 2, 3] : int32[2,2]
              a = reshape(x) {shape = [3, 2]} : float32[3,2]
              b = fill(y) {shape = [4]} : float32[4]
              c = tile(x) {multiples = [3, 2]} : float32[6,6]
              d = pad(x, y) {before = [0, 2], after = [1, 3]} : float32[3,8]
              e = broadcast_to(y) {shape = [3, 2]} : float32[3,2]
              b0 = constant [0, 1] : int32[2]
              l = constant [1, -1] : int32[2]
              f = slice(x, b0) {sizes = [1, -1]} : float32[1,?]
              return a, b, c, d, e, f
            }",
        );
    }

    #[test]
    fn constant_sizes_of_random_numbers_become_attributes() {
        check(
            super::run,
            "graph (seed: int64[2], low: int32[], high: int32[], s: int32[2]) -> (float32[?,?], int64[?,?], int32[?,?], float32[?,?]) {
              n = constant [3, 2] : int32[2]
              a = stateless_uniform(seed, n) {shape = [], dtype = float32} : float32[?,?]
              b = stateless_bits(seed, n) {shape = [], dtype = int64} : int64[?,?]
              c = stateless_integers(seed, low, high, n) {shape = []} : int32[?,?]
              d = stateless_normal(seed, s) {shape = [], dtype = float32} : float32[?,?]
              return a, b, c, d
            }",
            "graph (seed: int64[2], low: int32[], high: int32[], s: int32[2]) -> (float32[3,2], int64[3,2], int32[3,2], float32[?,?]) {
              n = constant [3, 2] : int32[2]
              a = stateless_uniform(seed) {shape = [3, 2], dtype = float32} : float32[3,2]
              b = stateless_bits(seed) {shape = [3, 2], dtype = int64} : int64[3,2]
              c = stateless_integers(seed, low, high) {shape = [3, 2]} : int32[3,2]
              d = stateless_normal(seed, s) {shape = [], dtype = float32} : float32[?,?]
              return a, b, c, d
            }",
        );
    }

    #[test]
    fn constant_bounds_become_attributes() {
        check(
            super::run,
            "graph (x: int32[4,3]) -> (int32[?,3], int32[4,?]) {
              i = constant 1 : int32[]
              j = constant 3 : int64[]
              a = slice_rows(x, i, j) : int32[?,3]
              b = slice_axis(x, i, j, i) {axis = -1, mask = 2} : int32[4,?]
              return a, b
            }",
            "graph (x: int32[4,3]) -> (int32[2,3], int32[4,2]) {
              i = constant 1 : int32[]
              j = constant 3 : int64[]
              a = strided_slice(x) {axes = [0], begins = [1], ends = [3], steps = [1], masks = [0]} : int32[2,3]
              b = strided_slice(x) {axes = [-1], begins = [1], ends = [3], steps = [1], masks = [2]} : int32[4,2]
              return a, b
            }",
        );
    }

    #[test]
    fn what_is_left_of_an_axis_is_known_where_it_begins_at_a_constant() {
        check(
            super::run,
            "graph (x: float32[9,3], i: int32[], b: int32[2]) -> (float32[2,?], float32[?,?], float32[?,?]) {
              one = constant 1 : int32[]
              s = stack(i, one) {axis = 0} : int32[2]
              a = slice(x, s) {sizes = [2, -1]} : float32[2,?]
              k = constant [4, 3] : int32[2]
              c = slice(x, k) {sizes = [-1, -1]} : float32[?,?]
              d = slice(x, b) {sizes = [-1, -1]} : float32[?,?]
              return a, c, d
            }",
            "graph (x: float32[9,3], i: int32[], b: int32[2]) -> (float32[2,2], float32[5,0], float32[?,?]) {
              one = constant 1 : int32[]
              s = stack(i, one) {axis = 0} : int32[2]
              a = slice(x, s) {sizes = [2, 2]} : float32[2,2]
              k = constant [4, 3] : int32[2]
              c = slice(x, k) {sizes = [5, 0]} : float32[5,0]
              d = slice(x, b) {sizes = [-1, -1]} : float32[?,?]
              return a, c, d
            }",
        );
    }

    #[test]
    fn what_does_not_fit_or_is_no_constant_stays() {
        check_unchanged(
            super::run,
            "graph (x: float32[2,3], s: int32[2]) -> (float32[?,?], float32[?,?], float32[?,?]) {
              wrong = constant [4, 2] : int32[2]
              a = reshape_to(x, wrong) : float32[?,?]
              b = reshape_to(x, s) : float32[?,?]
              far = constant [3, -1] : int32[2]
              c = slice(x, far) {sizes = [-1, -1]} : float32[?,?]
              return a, b, c
            }",
        );
    }
}
