//! Reductions over segments: each row gets the gradient of its segment. The conventions are TensorFlow's (`_SegmentMinOrMaxGrad`,
//! `_SegmentProdGrad` in `math_grad.py`).

use graph_kernels::DType;

use super::super::backward::Backward;
use super::super::term::Term;
use super::Row;
use crate::graph::TensorType;
use crate::ops::{self, Attrs, OpDef};

/// The ops with their rules.
#[rustfmt::skip]
pub(super) static ROWS: &[Row] = &[
    (&ops::SEGMENT_SUM, segment_sum),
    (&ops::SEGMENT_MEAN, segment_mean),
    (&ops::SEGMENT_PROD, segment_prod),
    (&ops::SEGMENT_MAX, segment_extreme),
    (&ops::SEGMENT_MIN, segment_extreme),
    (&ops::UNSORTED_SEGMENT_SUM, segment_sum),
    (&ops::UNSORTED_SEGMENT_MEAN, segment_mean),
    (&ops::UNSORTED_SEGMENT_PROD, segment_prod),
    (&ops::UNSORTED_SEGMENT_MAX, segment_extreme),
    (&ops::UNSORTED_SEGMENT_MIN, segment_extreme),
];

/// Whether ids may be in any order: true for the ops with a number of segments.
fn is_unsorted(b: &Backward<'_>) -> bool {
    b.attrs().get("count").is_some()
}

/// Reduces the rows of each segment, with the op for sorted or for unsorted ids.
fn reduced(b: &Backward<'_>, rows: &Term, [sorted, unsorted]: [&'static OpDef; 2]) -> Term {
    let op = if is_unsorted(b) { unsorted } else { sorted };
    rows.apply(op, b.attrs().clone(), &[&b.x(1)])
}

fn summed(b: &Backward<'_>, rows: &Term) -> Term {
    reduced(b, rows, [&ops::SEGMENT_SUM, &ops::UNSORTED_SEGMENT_SUM])
}

/// For each row, the value of its segment. A row with a negative id belongs to no segment: it gets the value of segment 0, but no gradient.
fn spread(b: &Backward<'_>, segments: &Term) -> Term {
    let ids = match is_unsorted(b) {
        true => b.x(1).with(&ops::MAXIMUM, &b.x(1).number(0.0)),
        false => b.x(1),
    };
    let axis = Attrs::new().with("axis", ops::Attr::Int(0));
    let rows = segments.apply(&ops::GATHER, axis, &[&ids]);
    rows.of_type(&TensorType::new(rows.dtype(), b.ty(0).shape))
}

fn give(b: &mut Backward<'_>, gradient: Term) {
    if !is_unsorted(b) {
        return b.give(0, gradient);
    }
    let ids = b.x(1);
    let counts = ids.with(&ops::GREATER_EQUAL, &ids.number(0.0));
    b.give(0, gradient.where_(&leading(&counts, &b.x(0))));
}

/// Booleans over the first axes of an array, followed by axes of size 1.
fn leading(mask: &Term, x: &Term) -> Term {
    if let (Some(covered), Some(rank)) = (mask.shape().rank(), x.shape().rank()) {
        return (covered..rank).fold(mask.clone(), |mask, _| mask.expand_dims(-1));
    }
    let rank = |x: &Term| x.map(&ops::RANK_OF);
    let others = (rank(x) - rank(mask)).expand_dims(0);
    let ones = others.number(1.0).with(&ops::FILL_TO, &others);
    let axis = Attrs::new().with("axis", ops::Attr::Int(0));
    let sizes = mask.sizes().apply(&ops::CONCAT, axis, &[&ones]);
    mask.with(&ops::RESHAPE_TO, &sizes)
}

fn segment_sum(b: &mut Backward<'_>) {
    let gradient = spread(b, &b.g());
    give(b, gradient);
}

fn segment_mean(b: &mut Backward<'_>) {
    let counts = summed(b, &b.x(0).full_like(1.0));
    // A segment without rows contributes to no gradient.
    let counts = counts.with(&ops::MAXIMUM, &counts.number(1.0));
    let gradient = spread(b, &(b.g() / counts));
    give(b, gradient);
}

/// If several values are equal to the maximum (or minimum) of their segment, they share the gradient equally.
fn segment_extreme(b: &mut Backward<'_>) {
    let is_it = b.x(0).with(&ops::EQUAL, &spread(b, &b.y()));
    let how_many = summed(b, &is_it.cast(b.ty(0).dtype));
    let how_many = how_many.with(&ops::MAXIMUM, &how_many.number(1.0));
    let gradient = spread(b, &(b.g() / how_many)).where_(&is_it);
    give(b, gradient);
}

/// The derivative by one value is the product of the others in its segment: 0 if one of them is 0, else the product of all nonzero
/// values, divided by the value itself if it isn't 0.
fn segment_prod(b: &mut Backward<'_>) {
    let x = b.x(0);
    let is_zero = x.with(&ops::EQUAL, &x.number(0.0));
    let rest = is_zero.select(&x.number(1.0), &x);
    let product = reduced(b, &rest, [&ops::SEGMENT_PROD, &ops::UNSORTED_SEGMENT_PROD]);
    let zeros = is_zero.cast(DType::I32);
    let other_zeros = spread(b, &summed(b, &zeros)) - zeros;
    let no_other = other_zeros.with(&ops::EQUAL, &other_zeros.number(0.0));
    let others = (spread(b, &product) / rest).where_(&no_other);
    let gradient = spread(b, &b.g()) * others;
    give(b, gradient);
}
