//! Sizes and bounds that are operands but constant become attributes: of the result's shape more is known then, and
//! what passes do with reshapes and slices is done with these too.

use super::rewrite::{Edit, Use, View, rewrite};
use crate::graph::Graph;
use crate::ops::{self, Attr, Attrs, OpDef};

pub(super) fn run(graph: &Graph) -> Option<Graph> {
    rewrite(graph, with_attribute)
}

/// The ops whose last operand is a list of integers, and what they are with an attribute instead.
static LISTS: [(&OpDef, &OpDef, &str); 5] = [
    (&ops::RESHAPE_TO, &ops::RESHAPE, "shape"),
    (&ops::FILL_TO, &ops::FILL, "shape"),
    (&ops::BROADCAST_AS, &ops::BROADCAST_TO, "shape"),
    (&ops::TILE_BY, &ops::TILE, "multiples"),
    (&ops::SLICE_TO, &ops::SLICE, "sizes"),
];

fn with_attribute(view: &View<'_>, of: &Use<'_>) -> Option<Edit> {
    if of.op == &ops::SLICE_AXIS || of.op == &ops::SLICE_ROWS {
        return slice(view, of);
    }
    let (last, others) = of.inputs.split_last()?;
    if of.op == &ops::PAD_BY {
        let pairs = view.integers(*last)?;
        let side = |n: usize| Attr::Ints(pairs.iter().skip(n).step_by(2).copied().collect());
        let attrs = Attrs::new()
            .with("before", side(0))
            .with("after", side(1));
        return Some(Edit::primitive(&ops::PAD, attrs, others));
    }
    let (_, op, attr) = LISTS.iter().find(|(dynamic, ..)| *dynamic == of.op)?;
    let attrs = Attrs::new().with(attr, Attr::Ints(view.integers(*last)?));
    Some(Edit::primitive(op, attrs, others))
}

/// A slice of one axis whose bounds are constant.
fn slice(view: &View<'_>, of: &Use<'_>) -> Option<Edit> {
    let integer = |n: usize| match view.integers(*of.inputs.get(n)?)?[..] {
        [i] => Some(Attr::Ints(vec![i])),
        _ => None,
    };
    let of_rows = of.op == &ops::SLICE_ROWS;
    let attr = |name: &str| {
        let value = if of_rows { 0 } else { of.attrs.int(name).ok()? };
        Some(Attr::Ints(vec![value]))
    };
    let step = if of_rows {
        Attr::Ints(vec![1])
    } else {
        integer(3)?
    };
    let attrs = Attrs::new()
        .with("axes", attr("axis")?)
        .with("begins", integer(1)?)
        .with("ends", integer(2)?)
        .with("steps", step)
        .with("masks", attr("mask")?);
    Some(Edit::primitive(
        &ops::STRIDED_SLICE,
        attrs,
        &of.inputs[..1],
    ))
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
    fn what_does_not_fit_or_is_no_constant_stays() {
        check_unchanged(
            super::run,
            "graph (x: float32[2,3], s: int32[2]) -> (float32[?,?], float32[?,?]) {
              wrong = constant [4, 2] : int32[2]
              a = reshape_to(x, wrong) : float32[?,?]
              b = reshape_to(x, s) : float32[?,?]
              return a, b
            }",
        );
    }
}
