//! Scopes: the loops and branches of the graph, which instructions don't show any more. An error says which ones it happened
//! in.

use std::ops::Range;

use crate::error::Location;

/// Instructions that came from one branch, or from one loop.
#[derive(Clone, Debug, PartialEq)]
pub struct Scope {
    /// Their positions.
    pub range: Range<usize>,
    /// What they were.
    pub kind: ScopeKind,
    /// The user's line of the construct.
    pub location: Location,
}

/// What instructions came from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ScopeKind {
    /// The condition and the body of a loop, by its number in the plan.
    Loop(u32),
    /// A branch: `the else branch of the if`.
    Branch(String),
    /// One of the decisions that a `match` was made of.
    Match,
}

impl Scope {
    /// The scope at the positions that its steps have become.
    pub(super) fn mapped(&self, starts: &[usize]) -> Scope {
        Scope {
            range: starts[self.range.start]..starts[self.range.end],
            ..self.clone()
        }
    }

    /// What an error says of it; iterations count from 1.
    fn text(&self, iteration: u64) -> String {
        let at = &self.location;
        match &self.kind {
            ScopeKind::Loop(_) => format!("in iteration {iteration} of the loop at {at}"),
            ScopeKind::Branch(branch) => format!("in {branch} at {at}"),
            ScopeKind::Match => format!("in the match at {at}"),
        }
    }
}

/// What an error says of the scopes that it happened in, from inside out, each with the iteration if it is a loop. A `match` is named
/// once, however many decisions led to the arm: the error's own line tells the arm.
pub(super) fn texts<'a>(scopes: impl Iterator<Item = (&'a Scope, u64)>) -> Vec<String> {
    let mut within: Option<&Scope> = None;
    let mut texts = Vec::new();
    for (scope, iteration) in scopes {
        let same = |inner: &Scope| inner.kind == scope.kind && inner.location == scope.location;
        if scope.kind != ScopeKind::Match || !within.is_some_and(same) {
            texts.push(scope.text(iteration));
        }
        within = Some(scope);
    }
    texts
}

/// What an instruction is in, from inside out; `turns` says how often each loop has gone back to its head.
pub(crate) fn around(scopes: &[Scope], at: usize, turns: &[u64]) -> Vec<String> {
    let around = scopes.iter().filter(|s| s.range.contains(&at));
    texts(around.map(|scope| match scope.kind {
        ScopeKind::Loop(number) => (scope, 1 + turns[number as usize]),
        ScopeKind::Branch(_) | ScopeKind::Match => (scope, 0),
    }))
}
