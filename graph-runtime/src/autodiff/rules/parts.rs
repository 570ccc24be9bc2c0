//! Slices between bounds. The gradient is added to the slice in place, so that a backward loop writes only the slice in each iteration.

use graph_kernels::Array;

use super::super::backward::Backward;
use super::super::term::Term;
use super::Row;
use crate::ops::{self, Attr, Attrs, OpDef};

/// The ops with their rules.
#[rustfmt::skip]
pub(super) static ROWS: &[Row] = &[
    (&ops::SLICE, slice),
    (&ops::SLICE_TO, slice),
    (&ops::SLICE_AXIS, slice_axis),
    (&ops::STRIDED_SLICE_ADD, strided_slice_add),
    (&ops::SLICE_AXIS_ADD, slice_axis_add),
    (&ops::SLICE_ADD, slice_add),
    (&ops::INDEX_AXIS, index_axis),
    (&ops::STRIDED_SLICE, strided_slice),
    (&ops::SLICE_ROWS, slice_rows),
];

/// The gradient of a slicing op: `add`, which has the same attributes and operands, adds the upstream gradient to the slice of
/// operand 0's gradient.
fn add_part(b: &mut Backward<'_>, add: &'static OpDef) {
    let others: Vec<Term> = (1..b.operands()).map(|i| b.x(i)).collect();
    b.add_to(0, |b, sum| {
        let g = b.g();
        let rest: Vec<&Term> = [&g].into_iter().chain(&others).collect();
        sum.apply(add, b.attrs().clone(), &rest)
    });
}

/// The gradient of an op that adds a part to a slice: the array gets the upstream gradient, and the part gets the slice of it that `take` returns.
fn give_part(b: &mut Backward<'_>, take: impl FnOnce(&Backward<'_>) -> Term) {
    if b.wants(1) {
        let part = take(b).of_type(&b.ty(1));
        b.give(1, part);
    }
    b.give(0, b.g());
}

fn strided_slice(b: &mut Backward<'_>) {
    add_part(b, &ops::STRIDED_SLICE_ADD);
}

fn strided_slice_add(b: &mut Backward<'_>) {
    give_part(b, |b| {
        b.g().apply(&ops::STRIDED_SLICE, b.attrs().clone(), &[])
    });
}

fn slice_axis(b: &mut Backward<'_>) {
    add_part(b, &ops::SLICE_AXIS_ADD);
}

fn slice_axis_add(b: &mut Backward<'_>) {
    let [begin, end, step] = [2, 3, 4].map(|i| b.x(i));
    give_part(b, |b| {
        let bounds = [&begin, &end, &step];
        b.g().apply(&ops::SLICE_AXIS, b.attrs().clone(), &bounds)
    });
}

/// Adds the gradient to a range of an axis.
fn add_between(b: &mut Backward<'_>, g: &Term, bounds: [&Term; 3], axis: i64, mask: i64) {
    let attrs = Attrs::new()
        .with("axis", Attr::Int(axis))
        .with("mask", Attr::Int(mask));
    let [begin, end, step] = bounds;
    b.add_to(0, |_, sum| {
        sum.apply(&ops::SLICE_AXIS_ADD, attrs, &[g, begin, end, step])
    });
}

fn slice_rows(b: &mut Backward<'_>) {
    let (begin, end, g) = (b.x(1), b.x(2), b.g());
    let step = g.constant(Array::scalar(1i32));
    add_between(b, &g, [&begin, &end, &step], 0, 0);
}

/// An index is a slice with a step so large that it has only one position.
fn index_axis(b: &mut Backward<'_>) {
    let axis = b.attrs().int("axis").unwrap_or(0);
    let (at, g) = (b.x(1), b.g().expand_dims(axis));
    let step = g.constant(Array::scalar(i64::MAX));
    let no_end = 2;
    add_between(b, &g, [&at, &at, &step], axis, no_end);
}

/// The rule of `slice` and of `slice_to`: the sizes are those of the gradient.
fn slice(b: &mut Backward<'_>) {
    let begins = b.x(1);
    b.add_to(0, |b, sum| {
        sum.apply(&ops::SLICE_ADD, Attrs::new(), &[&b.g(), &begins])
    });
}

fn slice_add(b: &mut Backward<'_>) {
    let (part, begins) = (b.x(1), b.x(2));
    give_part(b, |b| {
        b.g()
            .apply(&ops::SLICE_TO, Attrs::new(), &[&begins, &part.sizes()])
    });
}
