//! Diagonals of matrices.

use super::super::backward::Backward;
use super::super::term::{Term, attrs_of};
use super::Row;
use crate::ops::{self, Attr, OpDef};

/// The ops with their rules.
#[rustfmt::skip]
pub(super) static ROWS: &[Row] = &[
    (&ops::DIAG, diag),
    (&ops::DIAG_PART, diag_part),
    (&ops::SET_DIAG, set_diag),
    (&ops::BAND_PART, band_part),
];

/// An op with the attributes of the differentiated op.
fn alike(b: &Backward<'_>, op: &'static OpDef, x: &Term, others: &[&Term]) -> Term {
    x.apply(op, b.attrs().clone(), others)
}

/// The gradient's diagonal, read as the main diagonal of a submatrix, because `diag_part` accepts no other diagonal if there are no values.
fn diag(b: &mut Backward<'_>) {
    let diagonal = b.attrs().int("diagonal").unwrap_or(0);
    let (down, right) = ((-diagonal).max(0), diagonal.max(0));
    let mut g = b.g();
    if diagonal != 0 {
        let mask = |end: i64| if end == 0 { 2 } else { 0 };
        let part = attrs_of([
            ("axes", Attr::Ints(vec![-2, -1])),
            ("begins", Attr::Ints(vec![down, right])),
            ("ends", Attr::Ints(vec![-right, -down])),
            ("steps", Attr::Ints(vec![1, 1])),
            ("masks", Attr::Ints(vec![mask(right), mask(down)])),
        ]);
        g = g.apply(&ops::STRIDED_SLICE, part, &[]);
    }
    let main = attrs_of([("diagonal", Attr::Int(0))]);
    let part = g.apply(&ops::DIAG_PART, main, &[]);
    b.give(0, part.of_type(&b.ty(0)));
}

fn diag_part(b: &mut Backward<'_>) {
    let zeros = b.x(0).zeros_like();
    b.give(0, alike(b, &ops::SET_DIAG, &zeros, &[&b.g()]));
}

fn set_diag(b: &mut Backward<'_>) {
    let (g, values) = (b.g(), b.x(1));
    if b.wants(0) {
        b.give(0, alike(b, &ops::SET_DIAG, &g, &[&values.zeros_like()]));
    }
    if b.wants(1) {
        let part = alike(b, &ops::DIAG_PART, &g, &[]);
        b.give(1, part.of_type(&values.ty()));
    }
}

fn band_part(b: &mut Backward<'_>) {
    b.give(0, alike(b, &ops::BAND_PART, &b.g(), &[]));
}
