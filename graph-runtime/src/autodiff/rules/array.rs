//! Reshaping, broadcasting and joining of arrays.

use graph_kernels::Array;

use super::super::backward::Backward;
use super::super::term::Term;
use super::Row;
use crate::ops::{self, Attr, Attrs};

/// The ops with their rules.
#[rustfmt::skip]
pub(super) static ROWS: &[Row] = &[
    (&ops::RESHAPE_TO, reshape),
    (&ops::FILL_TO, fill),
    (&ops::BROADCAST_AS, broadcast),
    (&ops::SUM_TO, sum_to),
    (&ops::AFTER, identity),
    (&ops::LIST_ROWS, identity),
    (&ops::LIST_CONCAT, reshape),
    (&ops::ONE_VALUE, reshape),
    (&ops::PAD, pad),
    (&ops::PAD_BY, pad_by),
    (&ops::RESHAPE, reshape),
    (&ops::RELAX_SHAPE, identity),
    (&ops::TRANSPOSE, transpose),
    (&ops::EXPAND_DIMS, reshape),
    (&ops::SQUEEZE, reshape),
    (&ops::CONCAT, concat),
    (&ops::STACK, stack),
    (&ops::BROADCAST_TO, broadcast),
    (&ops::FILL, fill),
];

/// The gradient, reshaped to the operand's shape.
fn reshape(b: &mut Backward<'_>) {
    b.give(0, b.g().reshaped_as(&b.x(0)));
}

/// The gradient, unchanged.
fn identity(b: &mut Backward<'_>) {
    b.give(0, b.g().of_type(&b.ty(0)));
}

fn transpose(b: &mut Backward<'_>) {
    let perm = b.attrs().ints("perm").unwrap_or_default();
    let rank = match (perm.len(), b.ty(0).shape.rank()) {
        (0, Some(rank)) => rank,
        (n, _) => n,
    };
    let mut back: Vec<i64> = (0..rank as i64).rev().collect();
    for (to, from) in perm.iter().enumerate() {
        let from = if *from < 0 { from + rank as i64 } else { *from };
        back[from as usize] = to as i64;
    }
    b.give(
        0,
        b.g()
            .map_with(&ops::TRANSPOSE, [("perm", Attr::Ints(back))]),
    );
}

/// The gradient, summed over the repeated values.
fn broadcast(b: &mut Backward<'_>) {
    b.give_broadcast(0, |b| b.g());
}

/// The fill value gets the sum of the gradient.
fn fill(b: &mut Backward<'_>) {
    b.give(0, b.g().sum(vec![], false));
}

/// The adjoint of a sum is repetition.
fn sum_to(b: &mut Backward<'_>) {
    b.give(0, b.g().broadcast_as(&b.x(0)));
}

fn stack(b: &mut Backward<'_>) {
    let axis = b.attrs().int("axis").unwrap_or(0);
    for i in 0..b.operands() {
        if b.wants(i) {
            let at = b.g().constant(Array::scalar(i as i32));
            let part = b.g().apply(
                &ops::INDEX_AXIS,
                Attrs::new().with("axis", Attr::Int(axis)),
                &[&at],
            );
            b.give(i, part);
        }
    }
}

fn concat(b: &mut Backward<'_>) {
    let axis = b.attrs().int("axis").unwrap_or(0);
    let mut begin = Begin::Known(0);
    for i in 0..b.operands() {
        let end = begin.behind(&b.x(i), axis);
        if b.wants(i) {
            let part = between(&b.g(), axis, &begin, &end);
            b.give(i, part.of_type(&b.ty(i)));
        }
        begin = end;
    }
}

/// The begin of a part: a number, or an `int32` scalar of the graph.
enum Begin {
    Known(i64),
    Traced(Term),
}

impl Begin {
    /// The begin of the next part.
    fn behind(&self, x: &Term, axis: i64) -> Begin {
        let shape = x.shape();
        let position = |rank: usize| if axis < 0 { axis + rank as i64 } else { axis } as usize;
        let size = shape.dims().and_then(|dims| dims[position(dims.len())]);
        match (self, size) {
            (Begin::Known(begin), Some(size)) => Begin::Known(begin + size as i64),
            _ => {
                let at = x.constant(Array::scalar(axis as i32));
                let size = x.map(&ops::SHAPE_OF).with(&ops::INDEX, &at);
                Begin::Traced(self.term(x) + size)
            }
        }
    }

    fn term(&self, like: &Term) -> Term {
        match self {
            Begin::Known(begin) => like.constant(Array::scalar(*begin as i32)),
            Begin::Traced(term) => term.clone(),
        }
    }
}

fn between(g: &Term, axis: i64, begin: &Begin, end: &Begin) -> Term {
    let one = |n: i64| Attr::Ints(vec![n]);
    match (begin, end) {
        (Begin::Known(begin), Begin::Known(end)) => g.map_with(
            &ops::STRIDED_SLICE,
            [
                ("axes", one(axis)),
                ("begins", one(*begin)),
                ("ends", one(*end)),
                ("steps", one(1)),
                ("masks", one(0)),
            ],
        ),
        _ => {
            let step = g.constant(Array::scalar(1i32));
            let attrs = Attrs::new()
                .with("axis", Attr::Int(axis))
                .with("mask", Attr::Int(0));
            g.apply(
                &ops::SLICE_AXIS,
                attrs,
                &[&begin.term(g), &end.term(g), &step],
            )
        }
    }
}

/// The operand gets the part without padding; the padding value gets the sum over the rest.
fn pad(b: &mut Backward<'_>) {
    let before = b.attrs().ints("before").unwrap_or_default();
    let begins = Array::new(&[before.len()], before.iter().map(|n| *n as i32).collect());
    let (g, x) = (b.g(), b.x(0));
    let begins = g.constant(begins);
    give_inside(
        b,
        g.apply(&ops::SLICE_TO, Attrs::new(), &[&begins, &x.sizes()]),
    );
}

/// The same, with the paddings as an operand `[rank, 2]`.
fn pad_by(b: &mut Backward<'_>) {
    let (g, x) = (b.g(), b.x(0));
    let first = g.constant(Array::scalar(0i32));
    let axis = Attrs::new().with("axis", Attr::Int(1));
    let begins = b.x(2).apply(&ops::INDEX_AXIS, axis, &[&first]);
    give_inside(
        b,
        g.apply(&ops::SLICE_TO, Attrs::new(), &[&begins, &x.sizes()]),
    );
}

fn give_inside(b: &mut Backward<'_>, inside: Term) {
    let inside = inside.of_type(&b.ty(0));
    if b.wants(1) {
        b.give(1, b.g().sum(vec![], false) - inside.sum(vec![], false));
    }
    b.give(0, inside);
}
