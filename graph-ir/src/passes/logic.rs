//! Simplifies boolean ops: double negations, negated comparisons, `and` and `or` with constants, and `select`s without a choice. A
//! comparison of floats is replaced by its opposite only where NaN allows it: `not x > 0` is not `x <= 0`.

use super::patch::Patch;
use super::rewrite::{Edit, Rules, Use, View, rewrite};
use crate::graph::{Graph, ValueId};
use crate::ops::{self, Attrs, OpDef};

pub(super) fn run(graph: &Graph) -> Option<Patch> {
    rewrite(graph, RULES)
}

static RULES: &Rules = &[
    (&ops::LOGICAL_NOT, negation),
    (&ops::LOGICAL_AND, conjunction),
    (&ops::LOGICAL_OR, disjunction),
    (&ops::SELECT, choice),
];

/// A comparison and its opposite.
static OPPOSITES: &[(&OpDef, &OpDef)] = &[
    (&ops::EQUAL, &ops::NOT_EQUAL),
    (&ops::NOT_EQUAL, &ops::EQUAL),
    (&ops::LESS, &ops::GREATER_EQUAL),
    (&ops::GREATER_EQUAL, &ops::LESS),
    (&ops::GREATER, &ops::LESS_EQUAL),
    (&ops::LESS_EQUAL, &ops::GREATER),
];

fn negation(view: &View<'_>, of: &Use<'_>) -> Option<Edit> {
    let inner = view.made_by(of.inputs[0])?;
    if inner.op == &ops::LOGICAL_NOT {
        return Some(Edit::Value(inner.inputs[0]));
    }
    let (_, opposite) = OPPOSITES.iter().find(|(op, _)| *op == inner.op)?;
    let total = view.dtype(inner.inputs[0]).is_integer()
        || [&ops::EQUAL, &ops::NOT_EQUAL].contains(&inner.op);
    total.then(|| Edit::primitive(opposite, Attrs::new(), inner.inputs))
}

fn conjunction(view: &View<'_>, of: &Use<'_>) -> Option<Edit> {
    connective(view, of, true)
}

fn disjunction(view: &View<'_>, of: &Use<'_>) -> Option<Edit> {
    connective(view, of, false)
}

/// `and` with true, `or` with false, or either with itself returns the operand; with the other constant, that constant.
fn connective(view: &View<'_>, of: &Use<'_>, neutral: bool) -> Option<Edit> {
    let [a, b] = *of.inputs else { return None };
    if a == b {
        return Some(Edit::Value(a));
    }
    [(a, b), (b, a)].into_iter().find_map(|(x, constant)| {
        let truth = view.truth(constant)?;
        if truth == neutral {
            return view.keeps_shape(x, constant).then_some(Edit::Value(x));
        }
        (view.keeps_shape(constant, x) && view.can_go(x)).then_some(Edit::Value(constant))
    })
}

/// A choice between equal values, on a constant, or on a negation.
fn choice(view: &View<'_>, of: &Use<'_>) -> Option<Edit> {
    let [condition, a, b] = *of.inputs else {
        return None;
    };
    if a == b && view.keeps_shape(a, condition) && view.can_go(condition) {
        return Some(Edit::Value(a));
    }
    if let Some(truth) = view.truth(condition) {
        let (taken, other) = if truth { (a, b) } else { (b, a) };
        return chosen(view, condition, taken, other);
    }
    let negated = view.operand_of(condition, &ops::LOGICAL_NOT)?;
    Some(Edit::primitive(of.op, Attrs::new(), &[negated, b, a]))
}

fn chosen(view: &View<'_>, condition: ValueId, taken: ValueId, other: ValueId) -> Option<Edit> {
    let same_shape = view.keeps_shape(taken, condition) && view.keeps_shape(taken, other);
    (same_shape && view.can_go(other)).then_some(Edit::Value(taken))
}

#[cfg(test)]
mod tests {
    use crate::passes::testing::{check, check_unchanged};

    #[test]
    fn negations_cancel_or_turn_comparisons_around() {
        check(
            super::run,
            "graph (x: float32[2], i: int32[2]) -> (bool[2], bool[2], bool[2]) {
              a = equal(x, x) : bool[2]
              b = logical_not(a) : bool[2]
              c = less(i, i) : bool[2]
              d = logical_not(c) : bool[2]
              e = logical_not(d) : bool[2]
              return b, d, e
            }",
            "graph (x: float32[2], i: int32[2]) -> (bool[2], bool[2], bool[2]) {
              a = equal(x, x) : bool[2]
              b = not_equal(x, x) : bool[2]
              c = less(i, i) : bool[2]
              d = greater_equal(i, i) : bool[2]
              return b, d, c
            }",
        );
    }

    #[test]
    fn what_nan_tells_apart_stays() {
        check_unchanged(
            super::run,
            "graph (x: float32[2]) -> bool[2] {
              zero = constant 0.0 : float32[]
              a = greater(x, zero) : bool[2]
              b = logical_not(a) : bool[2]
              return b
            }",
        );
    }

    #[test]
    fn constants_decide_or_don_t_matter() {
        check(
            super::run,
            "graph (p: bool[2], q: bool[]) -> (bool[2], bool[2], bool[], bool[2]) {
              t = constant true : bool[]
              f = constant false : bool[]
              a = logical_and(p, t) : bool[2]
              b = logical_or(f, p) : bool[2]
              c = logical_and(q, f) : bool[]
              d = logical_or(p, p) : bool[2]
              return a, b, c, d
            }",
            "graph (p: bool[2], q: bool[]) -> (bool[2], bool[2], bool[], bool[2]) {
              t = constant true : bool[]
              f = constant false : bool[]
              return p, p, f, p
            }",
        );
        // The result must have the shape of `p`.
        check_unchanged(
            super::run,
            "graph (p: bool[2]) -> bool[2] {
              f = constant false : bool[]
              c = logical_and(p, f) : bool[2]
              return c
            }",
        );
    }

    #[test]
    fn choices_that_are_none() {
        check(
            super::run,
            "graph (p: bool[], x: int32[2], y: int32[2]) -> (int32[2], int32[2], int32[2]) {
              f = constant false : bool[]
              a = select(p, x, x) : int32[2]
              b = select(f, x, y) : int32[2]
              n = logical_not(p) : bool[]
              c = select(n, x, y) : int32[2]
              return a, b, c
            }",
            "graph (p: bool[], x: int32[2], y: int32[2]) -> (int32[2], int32[2], int32[2]) {
              f = constant false : bool[]
              n = logical_not(p) : bool[]
              c = select(p, y, x) : int32[2]
              return x, y, c
            }",
        );
    }
}
