//! Diagonals of matrices.

use super::super::backward::Backward;
use super::super::term::Term;
use super::Row;
use crate::ops::{self, OpDef};

/// Which op has which rule.
#[rustfmt::skip]
pub(super) static ROWS: &[Row] = &[
    (&ops::DIAG, diag),
    (&ops::DIAG_PART, diag_part),
    (&ops::SET_DIAG, set_diag),
    (&ops::BAND_PART, band_part),
];

/// An op with the attributes of this one.
fn alike(b: &Backward<'_>, op: &'static OpDef, x: &Term, others: &[&Term]) -> Term {
    x.apply(op, b.attrs().clone(), others)
}

fn diag(b: &mut Backward<'_>) {
    let part = alike(b, &ops::DIAG_PART, &b.g(), &[]);
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
