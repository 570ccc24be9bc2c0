//! Ops that only move values: each value of the result is a value of the operand. Applied to the operand's positions, the op says
//! where each value came from, and the gradient flows back to there.

use graph_kernels::{Array, DType};

use super::super::backward::Backward;
use super::super::term::Term;
use super::Row;
use super::index::add_along;
use crate::ops::{self, Attrs};

/// The ops with their rules.
#[rustfmt::skip]
pub(super) static ROWS: &[Row] = &[
    (&ops::STATELESS_SHUFFLE, shuffle),
    (&ops::SORT, sort),
];

/// The gradient of an op that moves the values of its first operand; the other operands only control the movement.
pub(super) fn moved(b: &mut Backward<'_>) {
    let others: Vec<Term> = (1..b.operands()).map(|i| b.x(i)).collect();
    let others: Vec<&Term> = others.iter().collect();
    let from = positions(&b.x(0)).apply(b.op(), b.attrs().clone(), &others);
    add_at(b, 0, &from);
}

/// The gradient of a shuffle, whose first operand is a seed.
fn shuffle(b: &mut Backward<'_>) {
    let from = b
        .x(0)
        .apply(b.op(), b.attrs().clone(), &[&positions(&b.x(1))]);
    add_at(b, 1, &from);
}

/// Adds the gradient at positions of an operand; there is one position for each value of the result.
fn add_at(b: &mut Backward<'_>, operand: usize, from: &Term) {
    let at = from.expand_dims(-1);
    b.add_to(operand, |b, sum| {
        let flat = sum.reshaped_as_vector();
        flat.apply(&ops::SCATTER_ADD, Attrs::new(), &[&at, &b.g()])
            .reshaped_as(&b.x(operand))
    });
}

/// The position of each value of an array in row-major order.
pub(super) fn positions(x: &Term) -> Term {
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

/// Sorting moves the values by the sort order of the operand.
fn sort(b: &mut Backward<'_>) {
    let order = b.x(0).apply(&ops::ARGSORT, b.attrs().clone(), &[]);
    add_along(b, &order);
}
