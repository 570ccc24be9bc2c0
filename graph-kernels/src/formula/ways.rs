//! The ways through a formula: one for each outcome of its comparisons. Their results become one.

use std::collections::{HashMap, HashSet};

use super::recorder::{begin, end, fails, is_known, push, step, unknown};
use super::steps::{LaneOp, LaneType};

/// A formula with more ways isn't recorded.
const WAYS: usize = 128;

/// Two results are merged within their formulas if that takes at most this many selects.
const SELECTS: usize = 4;

/// The value of a formula, which is run for each outcome of the comparisons that it asks for.
pub(crate) fn all_ways(formula: impl Fn() -> usize) -> Option<usize> {
    let mut left = WAYS;
    let value = behind(&[], &formula, &mut left);
    if value.is_none() {
        unknown();
    }
    value.filter(|_| !fails())
}

/// The value where the first comparisons have these outcomes. All others are tried both ways, the last one first.
fn behind(
    outcomes: &[(usize, bool)],
    formula: &dyn Fn() -> usize,
    left: &mut usize,
) -> Option<usize> {
    *left = left.checked_sub(1)?;
    begin(outcomes);
    let mut value = formula();
    let taken = end();
    for n in (outcomes.len()..taken.len()).rev() {
        let mut others = taken[..n].to_vec();
        others.push((taken[n].0, false));
        let other = behind(&others, formula, left)?;
        value = Merge::new(taken[n].0).merge(value, other);
    }
    Some(value)
}

/// Merges values by one mask.
struct Merge {
    mask: usize,
    /// The values that are merged within their formulas.
    merged: HashMap<(usize, usize), usize>,
}

impl Merge {
    fn new(mask: usize) -> Merge {
        Merge {
            mask,
            merged: HashMap::new(),
        }
    }

    /// `a` where the mask is true, else `b`.
    fn merge(&mut self, a: usize, b: usize) -> usize {
        if a == b {
            return a;
        }
        match count(a, b, &mut HashSet::new(), true) <= SELECTS {
            true => self.within(a, b),
            false => self.select(a, b),
        }
    }

    fn select(&self, a: usize, b: usize) -> usize {
        push(LaneOp::Select, step(a).output(), &[self.mask, a, b])
    }

    /// Merges the operands of equal operations.
    fn within(&mut self, a: usize, b: usize) -> usize {
        if a == b {
            return a;
        }
        if let Some(merged) = self.merged.get(&(a, b)) {
            return *merged;
        }
        let value = match pairs(a, b) {
            Some(pairs) if !folds(a, b) || count(a, b, &mut HashSet::new(), false) == 1 => {
                let pairs = pairs.into_iter();
                let operands: Vec<usize> = pairs.map(|(a, b)| self.within(a, b)).collect();
                let step = step(a);
                push(step.op, step.ty, &operands)
            }
            _ => self.select(a, b),
        };
        self.merged.insert((a, b), value);
        value
    }
}

/// The pairs of operands of two values, if both are the same operation.
fn pairs(a: usize, b: usize) -> Option<Vec<(usize, usize)>> {
    let (a, b) = (step(a), step(b));
    if (a.op, a.ty) != (b.op, b.ty) || a.operands.is_empty() {
        return None;
    }
    // Masks are merged into masks, which takes more than one operation.
    let chooses = a.op == LaneOp::Select && a.operands[0] != b.operands[0];
    let masks = chooses || a.output() == LaneType::Mask;
    let pairs = a.operands.into_iter().zip(b.operands);
    (!masks).then(|| pairs.collect())
}

/// Whether one of two values is known, so that its formula becomes one number. Then one select is enough: behind the formulas, or within
/// them, where it is a limit of an operand.
fn folds(a: usize, b: usize) -> bool {
    is_known(a) || is_known(b)
}

/// How many selects merge two values within their formulas, counted up to a few more than are allowed. `one_if_known` says that one is
/// enough where one of the values is known.
fn count(a: usize, b: usize, seen: &mut HashSet<(usize, usize)>, one_if_known: bool) -> usize {
    if a == b || !seen.insert((a, b)) {
        return 0;
    }
    let Some(pairs) = pairs(a, b).filter(|_| !one_if_known || !folds(a, b)) else {
        return 1;
    };
    let mut selects = 0;
    for (a, b) in pairs {
        selects += count(a, b, seen, one_if_known);
        if selects > SELECTS {
            break;
        }
    }
    selects
}
