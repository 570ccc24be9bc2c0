//! Scopes: the loops and branches that instructions came from. The instructions themselves don't show them; an error lists the
//! scopes in which it happened.

use std::ops::Range;

use crate::error::Location;

/// A range of instructions that came from one branch or one loop.
#[derive(Clone, Debug, PartialEq)]
pub struct Scope {
    /// The positions of the instructions.
    pub range: Range<usize>,
    /// The kind of construct that they came from.
    pub kind: ScopeKind,
    /// The user's line of the construct.
    pub location: Location,
}

/// A kind of construct.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ScopeKind {
    /// The condition and the body of a loop, with the loop's number in the plan.
    Loop(u32),
    /// A branch: `the else branch of the if`.
    Branch(String),
    /// One of the conditionals that a `match` was lowered to.
    Match,
}

impl Scope {
    /// The scope with positions of steps replaced by positions of instructions.
    pub(super) fn mapped(&self, starts: &[usize]) -> Scope {
        Scope {
            range: starts[self.range.start]..starts[self.range.end],
            ..self.clone()
        }
    }

    /// The line about this scope in an error message; iterations count from 1.
    fn text(&self, iteration: u64) -> String {
        let at = &self.location;
        match &self.kind {
            ScopeKind::Loop(_) => format!("in iteration {iteration} of the loop at {at}"),
            ScopeKind::Branch(branch) => format!("in {branch} at {at}"),
            ScopeKind::Match => format!("in the match at {at}"),
        }
    }
}

/// The lines about the scopes in which an error happened, from the innermost to the outermost, each loop with its iteration. A `match` is
/// named once, however many conditionals it was lowered to: the error's own location shows the arm.
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

/// The lines about the scopes of an instruction, from the innermost outwards; `turns` is how often each loop has jumped back to its head.
pub fn around(scopes: &[Scope], at: usize, turns: &[u64]) -> Vec<String> {
    let around = scopes.iter().filter(|s| s.range.contains(&at));
    texts(around.map(|scope| match scope.kind {
        ScopeKind::Loop(number) => (scope, 1 + turns[number as usize]),
        ScopeKind::Branch(_) | ScopeKind::Match => (scope, 0),
    }))
}
