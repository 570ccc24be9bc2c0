//! Ops that only move values: each value of the result is one of the operand's, or a copy. Applied to the operand's positions, such
//! an op says where each value came from, and that is where its gradient goes back to.

use graph_kernels::{Array, DType};

use super::super::backward::Backward;
use super::super::term::Term;
use crate::ops::{self, Attr, Attrs};

/// The gradient of any op that moves values of its first operand; the others say how.
pub(crate) fn moved(b: &mut Backward<'_>) {
    let others: Vec<Term> = (1..b.operands()).map(|i| b.x(i)).collect();
    let others: Vec<&Term> = others.iter().collect();
    let from = positions(&b.x(0)).apply(b.op(), b.attrs().clone(), &others);
    add_at(b, 0, &from);
}

/// The gradient of a shuffle, whose first operand is a seed.
pub(crate) fn shuffle(b: &mut Backward<'_>) {
    let from = b
        .x(0)
        .apply(b.op(), b.attrs().clone(), &[&positions(&b.x(1))]);
    add_at(b, 1, &from);
}

/// Adds the gradient at positions of an operand, one for each value of the result.
fn add_at(b: &mut Backward<'_>, operand: usize, from: &Term) {
    let at = from.expand_dims(-1);
    b.add_to(operand, |b, sum| {
        let flat = sum.reshaped_as_vector();
        flat.apply(&ops::SCATTER_ADD, Attrs::new(), &[&at, &b.g()])
            .reshaped_as(&b.x(operand))
    });
}

/// The position of each value of an array in row-major order.
fn positions(x: &Term) -> Term {
    if let (Some(sizes), Some(size)) = (x.shape().to_known(), x.shape().size())
        && let Ok(size) = i32::try_from(size)
    {
        return x.constant(Array::new(&sizes, (0..size).collect()));
    }
    let size = x.map(&ops::SIZE_OF).cast(DType::I64);
    let numbers = size
        .number(0.0)
        .apply(&ops::RANGE, Attrs::new(), &[&size, &size.number(1.0)]);
    numbers.reshaped_as(x)
}

/// The last axis of operand 0, if it is the one that an op goes along.
fn last_axis(b: &Backward<'_>) -> Option<i64> {
    let last = i64::try_from(b.ty(0).shape.rank()?).ok()? - 1;
    let axis = b.attrs().int("axis").ok()?;
    (last >= 0 && (axis == last || axis == -1)).then_some(last)
}

/// Adds the gradient along the last axis, at positions of it, which count from its beginning.
fn add_along(b: &mut Backward<'_>, last: i64, positions: &Term) {
    let attrs = Attrs::new()
        .with("axis", Attr::Int(last))
        .with("batch_dims", Attr::Int(last));
    b.add_to(0, |b, sum| {
        sum.apply(&ops::GATHER_ADD, attrs, &[&b.g(), positions])
    });
}

/// Along the last axis, where nothing is broadcast, the gradient goes where the positions say.
pub(crate) fn take_along_axis(b: &mut Backward<'_>) {
    let sizes = [0, 1].map(|i| b.ty(i).shape.to_known());
    let (Some(last), [Some(own), Some(positions)]) = (last_axis(b), &sizes) else {
        return moved(b);
    };
    let Some((size, outer)) = own.split_last() else {
        return moved(b);
    };
    if positions.len() != own.len() || positions[..outer.len()] != *outer {
        return moved(b);
    }
    let positions = b.x(1);
    let is_from_end = positions.with(&ops::LESS, &positions.number(0.0));
    let from_end = positions.with(&ops::ADD, &positions.number(*size as f64));
    add_along(b, last, &is_from_end.select(&from_end, &positions));
}

/// Sorting moves values to where the order of the operand says.
pub(crate) fn sort(b: &mut Backward<'_>) {
    let x = b.x(0);
    let axis = Attr::Int(b.attrs().int("axis").unwrap_or(-1));
    let order = x.apply(&ops::ARGSORT, b.attrs().clone(), &[]);
    if let Some(last) = last_axis(b) {
        return add_along(b, last, &order);
    }
    let along = Attrs::new().with("axis", axis);
    let from = positions(&x).apply(&ops::TAKE_ALONG_AXIS, along, &[&order]);
    add_at(b, 0, &from);
}
