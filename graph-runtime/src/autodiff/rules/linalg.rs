//! Matrix products, and systems of equations.

use super::super::backward::Backward;
use super::super::term::Term;
use super::Row;
use crate::ops::{self, Attr};

/// The ops with their rules.
#[rustfmt::skip]
pub(super) static ROWS: &[Row] = &[
    (&ops::MATMUL, matmul),
    (&ops::SOLVE, solve),
];

fn product(a: &Term, b: &Term, transpose_a: bool, transpose_b: bool) -> Term {
    let attrs = super::super::term::attrs_of([
        ("transpose_a", Attr::Bool(transpose_a)),
        ("transpose_b", Attr::Bool(transpose_b)),
    ]);
    a.apply(&ops::MATMUL, attrs, &[b])
}

/// For `y = a b`, the gradients are `g bᵀ` and `aᵀ g`; for transposed operands, their transposes. Broadcast leading axes are summed.
fn matmul(b: &mut Backward<'_>) {
    let flag = |name| b.attrs().bool(name).unwrap_or(false);
    let (ta, tb) = (flag("transpose_a"), flag("transpose_b"));
    b.give_broadcast(0, |b| match ta {
        false => product(&b.g(), &b.x(1), false, !tb),
        true => product(&b.x(1), &b.g(), tb, true),
    });
    b.give_broadcast(1, |b| match tb {
        false => product(&b.x(0), &b.g(), !ta, false),
        true => product(&b.g(), &b.x(0), true, ta),
    });
}

/// For `y` with `a y = b`, the gradient of `b` is the `v` with `aᵀ v = g`, and that of `a` is `-v yᵀ`, or its transpose if `a` was transposed. Broadcast
/// leading axes are summed.
fn solve(b: &mut Backward<'_>) {
    let adjoint = b.attrs().bool("adjoint").unwrap_or(false);
    let flipped = super::super::term::attrs_of([("adjoint", Attr::Bool(!adjoint))]);
    let v = b.x(0).apply(&ops::SOLVE, flipped, &[&b.g()]);
    b.give_broadcast(0, |b| match adjoint {
        false => product(&v, &b.y(), false, true).map(&ops::NEG),
        true => product(&b.y(), &v, false, true).map(&ops::NEG),
    });
    b.give_broadcast(1, |_| v);
}
