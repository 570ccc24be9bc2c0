//! Lists of rows. The gradient with respect to a list is an array of all its rows.

use graph_kernels::Array;

use super::super::backward::Backward;
use super::super::term::Term;
use super::Row;
use super::index::stay;
use crate::ops::{self, Attr, Attrs};

/// The ops with their rules.
#[rustfmt::skip]
pub(super) static ROWS: &[Row] = &[
    (&ops::LIST_WRITE, list_write),
    (&ops::LIST_SCATTER, list_scatter),
    (&ops::LIST_EXTEND, list_extend),
    (&ops::LIST_READ, list_read),
    (&ops::LIST_ADD, list_add),
];

/// The gradient with respect to a list before rows were overwritten: 0 in these rows, and without the rows that were added.
fn give_before(b: &mut Backward<'_>, rest: Term) {
    let list = b.x(0);
    // A list whose row shape isn't set yet has no values.
    if ops::is_open(&list.shape()) {
        return b.give(0, list.zeros_like());
    }
    let zero = rest.constant(Array::scalar(0i32));
    let before = match b.attrs().bool("grows") {
        Ok(true) => {
            let rows = list.map(&ops::SHAPE_OF).with(&ops::INDEX, &zero);
            rest.apply(&ops::SLICE_ROWS, Attrs::new(), &[&zero, &rows])
        }
        _ => rest,
    };
    b.give(0, before.of_type(&b.ty(0)));
}

fn list_write(b: &mut Backward<'_>) {
    let (i, g) = (b.x(1), b.g());
    if b.wants(2) {
        let row = g.with(&ops::INDEX, &i);
        b.give(2, row.of_type(&b.ty(2)));
    }
    if b.wants(0) {
        let none = b.x(2).zeros_like();
        let rest = g.apply(&ops::SET_ROW, Attrs::new(), &[&i, &none]);
        give_before(b, rest);
    }
}

fn list_scatter(b: &mut Backward<'_>) {
    let (rows, g) = (b.x(1), b.g());
    let at = rows.expand_dims(-1);
    if b.wants(2) {
        let attrs = Attrs::new().with("axis", Attr::Int(0));
        let written = g.apply(&ops::GATHER, attrs, &[&rows]);
        let written = written.where_(&stay(&g, &at, &b.x(2)));
        b.give(2, written.of_type(&b.ty(2)));
    }
    if b.wants(0) {
        let none = b.x(2).zeros_like();
        let rest = g.apply(&ops::SCATTER_UPDATE, Attrs::new(), &[&at, &none]);
        give_before(b, rest);
    }
}

fn list_read(b: &mut Backward<'_>) {
    let i = b.x(1);
    b.add_to(0, |b, sum| {
        let attrs = Attrs::new();
        sum.apply(&ops::INDEX_ADD, attrs, &[&b.g(), &i])
            .of_type(&b.ty(0))
    });
}

/// Each operand gets its part of the gradient.
fn list_extend(b: &mut Backward<'_>) {
    let (g, list) = (b.g(), b.x(0));
    let rows = list.map(&ops::SIZE_OF);
    let zero = g.constant(Array::scalar(0i32));
    let part = |begin: &Term, end: &Term| g.apply(&ops::SLICE_ROWS, Attrs::new(), &[begin, end]);
    if b.wants(0) {
        b.give(0, part(&zero, &rows).of_type(&b.ty(0)));
    }
    if b.wants(1) {
        let all = g.map(&ops::SIZE_OF);
        b.give(1, part(&rows, &all).reshaped_as(&b.x(1)));
    }
}

/// A list whose row shape isn't set yet has no rows, so its gradient is never used.
fn list_add(b: &mut Backward<'_>) {
    for i in 0..2 {
        let ty = b.ty(i);
        match ops::is_open(&ty.shape) {
            true => b.give(i, b.x(i).zeros_like()),
            false => b.give(i, b.g().of_type(&ty)),
        }
    }
}
