//! Reading and writing parts of an array by index.

use super::super::backward::Backward;
use super::super::term::Term;
use super::Row;
use super::moves::{moved, positions};
use crate::ops::{self, Attr, Attrs, OpDef};

/// The ops with their rules.
#[rustfmt::skip]
pub(super) static ROWS: &[Row] = &[
    (&ops::WEIGHTED_BINCOUNT, weighted_bincount),
    (&ops::GATHER, gather),
    (&ops::BATCH_GATHER, gather),
    (&ops::GATHER_ND, gather_nd),
    (&ops::TAKE_ALONG_AXIS, take_along_axis),
    (&ops::INDEX_ADD, index_add),
    (&ops::GATHER_ADD, gather_add),
    (&ops::ADD_ALONG_AXIS, add_along_axis),
    (&ops::INDEX, index),
    (&ops::SET_ROW, set_row),
    (&ops::SET_PART, set_part),
    (&ops::BOOLEAN_MASK, boolean_mask),
    (&ops::SCATTER_UPDATE, scatter_update),
    (&ops::SCATTER_ADD, scatter_add),
    (&ops::SCATTER_SUB, scatter_sub),
    (&ops::SCATTER_MIN, scatter_extreme),
    (&ops::SCATTER_MAX, scatter_extreme),
];

/// The operands from `first` on, which are positions along the first axes.
fn places(b: &Backward<'_>, first: usize) -> Vec<Term> {
    (first..b.operands()).map(|i| b.x(i)).collect()
}

fn at(x: &Term, positions: &[Term]) -> Term {
    let positions: Vec<&Term> = positions.iter().collect();
    x.apply(&ops::INDEX, Attrs::new(), &positions)
}

fn index(b: &mut Backward<'_>) {
    let places = places(b, 1);
    b.add_to(0, |b, sum| {
        let g = b.g();
        let rest: Vec<&Term> = [&g].into_iter().chain(&places).collect();
        sum.apply(&ops::INDEX_ADD, Attrs::new(), &rest)
    });
}

fn index_add(b: &mut Backward<'_>) {
    b.give(0, b.g());
    if b.wants(1) {
        b.give(1, at(&b.g(), &places(b, 2)));
    }
}

fn set_row(b: &mut Backward<'_>) {
    let (i, g) = (b.x(1), b.g());
    if b.wants(0) {
        let none = b.x(2).zeros_like();
        b.give(0, g.apply(&ops::SET_ROW, Attrs::new(), &[&i, &none]));
    }
    if b.wants(2) {
        b.give(2, at(&g, &[i]));
    }
}

fn set_part(b: &mut Backward<'_>) {
    let (bounds, g) = (places(b, 2), b.g());
    if b.wants(0) {
        let none = b.x(1).zeros_like();
        let rest: Vec<&Term> = [&none].into_iter().chain(&bounds).collect();
        b.give(0, g.apply(&ops::SET_PART, b.attrs().clone(), &rest));
    }
    b.give_broadcast(1, |b| part(&g, b.attrs(), &bounds));
}

/// The part that `set_part` writes. Each index keeps its axis, with size 1, until all indices are applied, so that the attribute's
/// axis numbers stay valid.
fn part(x: &Term, attrs: &Attrs, bounds: &[Term]) -> Term {
    let list = |name| attrs.ints(name).unwrap_or_default();
    let axes = list("axes").iter().zip(list("masks"));
    let (mut x, mut positions) = (x.clone(), Vec::new());
    for ((axis, mask), bounds) in axes.zip(bounds.chunks_exact(3)) {
        let along = Attrs::new().with("axis", Attr::Int(*axis));
        if mask & 4 != 0 {
            positions.push(*axis);
            let taken = x.apply(&ops::INDEX_AXIS, along.clone(), &[&bounds[0]]);
            x = taken.apply(&ops::EXPAND_DIMS, along, &[]);
        } else {
            let bounds: Vec<&Term> = bounds.iter().collect();
            x = x.apply(
                &ops::SLICE_AXIS,
                along.with("mask", Attr::Int(*mask)),
                &bounds,
            );
        }
    }
    // `squeeze` without axes would remove all axes of size 1.
    if positions.is_empty() {
        return x;
    }
    let gone = Attrs::new().with("axes", Attr::Ints(positions));
    x.apply(&ops::SQUEEZE, gone, &[])
}

/// Slices of the gradient are added at their positions.
fn gather(b: &mut Backward<'_>) {
    let attrs = Attrs::new()
        .with("axis", Attr::Int(b.attrs().int("axis").unwrap_or(0)))
        .with(
            "batch_dims",
            Attr::Int(b.attrs().int("batch_dims").unwrap_or(0)),
        );
    b.add_to(0, |b, sum| {
        sum.apply(&ops::GATHER_ADD, attrs, &[&b.g(), &b.x(1)])
    });
}

fn gather_add(b: &mut Backward<'_>) {
    added(b, 1, 2, &ops::BATCH_GATHER);
}

/// The gradient of an op that adds operand `part` at the positions in operand `indices`: the array gets the upstream gradient, and
/// the part gets what `take` reads from it.
fn added(b: &mut Backward<'_>, part: usize, indices: usize, take: &'static OpDef) {
    let (g, indices) = (b.g(), b.x(indices));
    if b.wants(part) {
        let taken = g.apply(take, b.attrs().clone(), &[&indices]);
        b.give(part, taken.of_type(&b.ty(part)));
    }
    b.give(0, g);
}

/// Adds the gradient at positions along an axis.
pub(super) fn add_along(b: &mut Backward<'_>, positions: &Term) {
    let axis = Attr::Int(b.attrs().int("axis").unwrap_or(-1));
    let along = Attrs::new().with("axis", axis);
    b.add_to(0, |b, sum| {
        sum.apply(&ops::ADD_ALONG_AXIS, along, &[positions, &b.g()])
    });
}

fn take_along_axis(b: &mut Backward<'_>) {
    add_along(b, &b.x(1));
}

fn add_along_axis(b: &mut Backward<'_>) {
    added(b, 2, 1, &ops::TAKE_ALONG_AXIS);
}

fn gather_nd(b: &mut Backward<'_>) {
    if b.attrs().int("batch_dims") != Ok(0) {
        return moved(b);
    }
    let rows = b.x(1);
    b.add_to(0, |b, sum| {
        sum.apply(&ops::SCATTER_ADD, Attrs::new(), &[&rows, &b.g()])
    });
}

/// The positions where the mask is true get their gradients.
fn boolean_mask(b: &mut Backward<'_>) {
    let places = b.x(1).map(&ops::NONZERO);
    b.add_to(0, |b, sum| {
        sum.apply(&ops::SCATTER_ADD, Attrs::new(), &[&places, &b.g()])
    });
}

/// The values at the row positions.
fn gathered(x: &Term, rows: &Term) -> Term {
    let attrs = Attrs::new().with("batch_dims", ops::Attr::Int(0));
    x.apply(&ops::GATHER_ND, attrs, &[rows])
}

fn scatter_add(b: &mut Backward<'_>) {
    b.give(0, b.g());
    if b.wants(2) {
        b.give(2, gathered(&b.g(), &b.x(1)));
    }
}

fn scatter_sub(b: &mut Backward<'_>) {
    b.give(0, b.g());
    if b.wants(2) {
        b.give(2, -gathered(&b.g(), &b.x(1)));
    }
}

/// If the array and several updates are equal to the maximum (or minimum) at a position, they share the gradient equally.
fn scatter_extreme(b: &mut Backward<'_>) {
    let (x, rows, updates, y) = (b.x(0), b.x(1), b.x(2), b.y());
    let is_it = |x: &Term, y: &Term| x.with(&ops::EQUAL, y).cast(x.dtype());
    let of_array = is_it(&x, &y);
    let of_updates = is_it(&updates, &gathered(&y, &rows));
    let all = of_array.apply(&ops::SCATTER_ADD, Attrs::new(), &[&rows, &of_updates]);
    let share = b.g() / all;
    if b.wants(2) {
        b.give(2, gathered(&share, &rows) * of_updates);
    }
    if b.wants(0) {
        b.give(0, share * of_array);
    }
}

/// Each weight gets the gradient of its bin. A weight whose bin is out of range gets the 0 that is appended after the last bin.
fn weighted_bincount(b: &mut Backward<'_>) {
    let (bins, g) = (b.x(0), b.g());
    if b.wants(1) {
        let axis = || Attrs::new().with("axis", Attr::Int(0));
        let count = g.map(&ops::SIZE_OF).cast(bins.dtype());
        let none = g.number(0.0).expand_dims(0);
        let padded = g.apply(&ops::CONCAT, axis(), &[&none]);
        let at = bins.with(&ops::MINIMUM, &count);
        b.give(
            1,
            padded.apply(&ops::GATHER, axis(), &[&at]).of_type(&b.ty(1)),
        );
    }
}

fn scatter_update(b: &mut Backward<'_>) {
    let (rows, g) = (b.x(1), b.g());
    if b.wants(0) {
        let none = b.x(2).zeros_like();
        b.give(
            0,
            g.apply(&ops::SCATTER_UPDATE, Attrs::new(), &[&rows, &none]),
        );
    }
    if b.wants(2) {
        let stay = stay(&b.x(0), &rows, &b.x(2));
        b.give(2, gathered(&g, &rows).where_(&stay));
    }
}

/// Which updates stay in the array after all are written to its rows: the last of several for the same position.
pub(super) fn stay(array: &Term, rows: &Term, updates: &Term) -> Term {
    let numbers = positions(updates);
    let none = array.cast(numbers.dtype()).zeros_like();
    let written = none.apply(&ops::SCATTER_UPDATE, Attrs::new(), &[rows, &numbers]);
    gathered(&written, rows).with(&ops::EQUAL, &numbers)
}
