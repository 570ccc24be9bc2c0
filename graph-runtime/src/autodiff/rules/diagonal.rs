//! Diagonals of matrices.

use super::super::backward::Backward;
use super::super::term::Term;
use crate::ops::{self, OpDef};

/// An op with the attributes of this one.
fn alike(b: &Backward<'_>, op: &'static OpDef, x: &Term, others: &[&Term]) -> Term {
    x.apply(op, b.attrs().clone(), others)
}

pub(crate) fn diag(b: &mut Backward<'_>) {
    let part = alike(b, &ops::DIAG_PART, &b.g(), &[]);
    b.give(0, part.of_type(&b.ty(0)));
}

pub(crate) fn diag_part(b: &mut Backward<'_>) {
    let zeros = b.x(0).zeros_like();
    b.give(0, alike(b, &ops::SET_DIAG, &zeros, &[&b.g()]));
}

pub(crate) fn set_diag(b: &mut Backward<'_>) {
    let (g, values) = (b.g(), b.x(1));
    if b.wants(0) {
        b.give(0, alike(b, &ops::SET_DIAG, &g, &[&values.zeros_like()]));
    }
    if b.wants(1) {
        let part = alike(b, &ops::DIAG_PART, &g, &[]);
        b.give(1, part.of_type(&values.ty()));
    }
}

pub(crate) fn band_part(b: &mut Backward<'_>) {
    b.give(0, alike(b, &ops::BAND_PART, &b.g(), &[]));
}
