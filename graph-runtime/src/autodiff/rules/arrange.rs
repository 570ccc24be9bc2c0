//! Ops that rearrange or repeat the values of axes.

use graph_kernels::Mirror;

use super::super::backward::Backward;
use super::super::term::Term;
use super::Row;
use super::moves::moved;
use crate::graph::TensorType;
use crate::ops::{self, Attr, Attrs};

/// The ops with their rules.
#[rustfmt::skip]
pub(super) static ROWS: &[Row] = &[
    (&ops::ROLL, roll),
    (&ops::REPEAT, repeat),
    (&ops::REPEAT_EACH, repeat_each),
    (&ops::REVERSE_SEQUENCE, reverse_sequence),
    (&ops::TILE_BY, tile_by),
    (&ops::MIRROR_PAD, mirror_pad),
    (&ops::TILE, tile),
    (&ops::LINSPACE, linspace),
];

/// The roll in the opposite direction.
fn roll(b: &mut Backward<'_>) {
    let back = -b.x(1);
    b.give(0, b.g().apply(b.op(), b.attrs().clone(), &[&back]));
}

/// Reversing twice restores the order.
fn reverse_sequence(b: &mut Backward<'_>) {
    b.give(0, b.g().apply(b.op(), b.attrs().clone(), &[&b.x(1)]));
}

fn tile(b: &mut Backward<'_>) {
    let multiples = b.attrs().ints("multiples").unwrap_or_default();
    let multiples: Vec<i32> = multiples.iter().map(|n| *n as i32).collect();
    tiled(b, &b.g().integers(&multiples));
}

fn tile_by(b: &mut Backward<'_>) {
    tiled(b, &b.x(1).cast(graph_kernels::DType::I32));
}

/// Each axis is split into the number of repeats and its original size, and the repeats are summed.
fn tiled(b: &mut Backward<'_>, multiples: &Term) {
    let Some(rank) = b.ty(0).shape.rank() else {
        return moved(b);
    };
    if rank == 0 {
        return b.give(0, b.g());
    }
    let along_rows = Attrs::new().with("axis", Attr::Int(1));
    let sizes = multiples.apply(&ops::STACK, along_rows, &[&b.x(0).sizes()]);
    let apart = b.g().with(&ops::RESHAPE_TO, &sizes.reshaped_as_vector());
    let repeats = (0..rank as i64).map(|axis| 2 * axis).collect();
    b.give(0, apart.sum(repeats, false).of_type(&b.ty(0)));
}

/// The axis is split into its original size and the repeats, which are summed.
fn repeat(b: &mut Backward<'_>) {
    let (axis, count) = ["axis", "count"]
        .map(|name| b.attrs().int(name).unwrap_or(0))
        .into();
    let Some(rank) = b.ty(0).shape.rank() else {
        return moved(b);
    };
    let axis = if axis < 0 { axis + rank as i64 } else { axis };
    let x = b.x(0);
    let last = rank as i32;
    let own = 0..=axis as i32;
    let order: Vec<i32> = own.chain([last]).chain(axis as i32 + 1..last).collect();
    let sizes = x.sizes_picked(&order, &x.integers(&[count as i32]));
    let apart = b.g().with(&ops::RESHAPE_TO, &sizes);
    b.give(0, apart.sum(vec![axis + 1], false).of_type(&b.ty(0)));
}

/// Treated as a gather at the positions of the axis, which are repeated in the same way.
fn repeat_each(b: &mut Backward<'_>) {
    let counts = b.x(1);
    let size = counts.map(&ops::SIZE_OF);
    let (zero, one) = (size.number(0.0), size.number(1.0));
    let positions = zero.apply(&ops::RANGE, Attrs::new(), &[&size, &one]);
    // `range` doesn't know its size statically; it is that of the counts.
    let positions = positions.of_type(&TensorType::new(positions.dtype(), counts.shape()));
    let first = Attrs::new().with("axis", Attr::Int(0));
    let at = positions.apply(b.op(), first, &[&counts]);
    let attrs = Attrs::new()
        .with("axis", Attr::Int(b.attrs().int("axis").unwrap_or(0)))
        .with("batch_dims", Attr::Int(0));
    b.add_to(0, |b, sum| {
        sum.apply(&ops::GATHER_ADD, attrs, &[&b.g(), &at])
    });
}

/// The range of an axis; a missing begin or end is that of the array.
fn part(axis: usize, begin: Option<i64>, end: Option<i64>, step: i64) -> Attrs {
    let mask = i64::from(begin.is_none()) + 2 * i64::from(end.is_none());
    let one = |value: i64| Attr::Ints(vec![value]);
    Attrs::new()
        .with("axes", one(axis as i64))
        .with("begins", one(begin.unwrap_or(0)))
        .with("ends", one(end.unwrap_or(0)))
        .with("steps", one(step))
        .with("masks", one(mask))
}

/// The edges are reversed and added to the values that they mirror, axis by axis, beginning with the first axis, which was mirrored last.
fn mirror_pad(b: &mut Backward<'_>) {
    let [before, after] = ["before", "after"].map(|name| b.attrs().ints(name).unwrap_or_default());
    // `reflect` doesn't repeat the value at the edge.
    let apart = i64::from(b.attrs().text("mode") == Ok(Mirror::Reflect.name()));
    let mut g = b.g();
    for (axis, (&before, &after)) in before.iter().zip(after).enumerate() {
        let end = |from_end: i64| (from_end > 0).then_some(-from_end);
        let of_edges = g;
        let slice = |attrs| of_edges.apply(&ops::STRIDED_SLICE, attrs, &[]);
        g = slice(part(axis, Some(before), end(after), 1));
        if before > 0 {
            let edge = slice(part(axis, Some(before - 1), None, -1));
            let place = part(axis, Some(apart), Some(apart + before), 1);
            g = g.apply(&ops::STRIDED_SLICE_ADD, place, &[&edge]);
        }
        if after > 0 {
            let edge = slice(part(axis, None, Some(-after - 1), -1));
            let place = part(axis, Some(-after - apart), end(apart), 1);
            g = g.apply(&ops::STRIDED_SLICE_ADD, place, &[&edge]);
        }
    }
    b.give(0, g.of_type(&b.ty(0)));
}

/// The weights of the two ends: the nearer a value is to an end, the larger its weight.
fn linspace(b: &mut Backward<'_>) {
    let g = b.g();
    let (zero, one) = (b.x(0).number(0.0), b.x(0).number(1.0));
    let share = zero.apply(b.op(), b.attrs().clone(), &[&one]);
    if b.wants(0) {
        b.give(0, (&g * (1.0 - &share)).sum(vec![], false));
    }
    if b.wants(1) {
        b.give(1, (g * share).sum(vec![], false));
    }
}
