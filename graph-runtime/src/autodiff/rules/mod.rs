//! The gradient rules: one function for each, one file for each family of ops. Each file begins with a table of ops and rules. An
//! op without a rule lets no gradient through. At kinks the rules follow TensorFlow's conventions
//! (`tensorflow/python/ops/*_grad.py`), where TensorFlow has the op.

mod arithmetic;
mod arrange;
mod array;
mod conv;
mod diagonal;
mod einsum;
mod index;
mod linalg;
mod list;
mod mathematics;
mod moves;
mod parts;
mod reduce;
mod segment;

use std::sync::LazyLock;

use rustc_hash::FxHashMap;

use super::Rule;
use crate::ops::OpDef;

/// An op and its rule.
type Row = (&'static OpDef, Rule);

/// The gradient rule of an op, if a gradient goes through it.
///
/// ```
/// use graph_runtime::{autodiff, ops};
///
/// assert!(autodiff::rule(&ops::MUL).is_some() && autodiff::rule(&ops::LESS).is_none());
/// ```
pub fn rule(op: &'static OpDef) -> Option<Rule> {
    /// By the address of the op's row.
    static RULES: LazyLock<FxHashMap<usize, Rule>> = LazyLock::new(|| {
        let rows = FAMILIES.into_iter().flatten();
        rows.map(|(op, rule)| (address(op), *rule)).collect()
    });
    RULES.get(&address(op)).copied()
}

fn address(op: &'static OpDef) -> usize {
    std::ptr::from_ref(op).addr()
}

static FAMILIES: [&[Row]; 14] = [
    arithmetic::ROWS,
    arrange::ROWS,
    array::ROWS,
    conv::ROWS,
    diagonal::ROWS,
    einsum::ROWS,
    index::ROWS,
    linalg::ROWS,
    list::ROWS,
    mathematics::ROWS,
    moves::ROWS,
    parts::ROWS,
    reduce::ROWS,
    segment::ROWS,
];
