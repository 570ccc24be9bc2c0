//! Code with several decisions in a row, such as a `match` with guards, runs once per path. Each tensor condition opens a branch.
//! The next pass repeats the decisions of the previous path, except that the last one with an untraced side takes that side.

use super::AfterPass;
use super::any::AnyTensor;
use super::branch::Branching;
use super::context::with_trace;
use super::nest::Parts;
use super::outcome::Outcome;
use super::vars::{Snapshot, Vars};
use crate::error::Location;

/// The replay of code with several decisions.
pub(crate) struct Deciding {
    location: Location,
    /// The decisions of the current path, outermost first.
    path: Vec<Branching>,
    /// How many of them this pass has reached.
    passed: usize,
    value: Option<Parts>,
    /// The variables at the beginning of the pass, which each decision starts from. `None` before the first pass.
    before: Option<Snapshot>,
}

impl Deciding {
    pub fn new(location: Location) -> Deciding {
        Deciding {
            location,
            path: Vec::new(),
            passed: 0,
            value: None,
            before: None,
        }
    }

    /// The side of this decision, if an earlier pass already made it.
    pub fn repeat(&mut self) -> Option<bool> {
        let decision = self.path.get(self.passed)?.branch();
        self.passed += 1;
        Some(decision)
    }

    /// Decides: repeats an earlier decision, or takes the first side of a new one.
    pub fn decide(&mut self, condition: &dyn Fn() -> AnyTensor) -> bool {
        if let Some(decision) = self.repeat() {
            return decision;
        }
        let mut branching = Branching::new(&condition(), self.location.clone());
        let before = self.before.as_ref().expect("a pass has begun");
        branching.begin(before.copy(), !self.path.is_empty());
        self.path.push(branching);
        self.passed = self.path.len();
        true
    }

    /// Records the value of the pass.
    pub fn yields(&mut self, value: Option<Parts>) {
        match self.path.last_mut() {
            Some(last) => last.yields(value),
            None => self.value = value,
        }
    }

    /// The value of the whole construct, if it has one.
    pub fn value(&mut self) -> Option<Parts> {
        self.value.take()
    }

    /// Ends the pass early, with a `return`, `break`, `continue` or failure.
    pub fn leave(&mut self, outcome: Outcome) {
        match self.path.last_mut() {
            Some(last) => last.leave(outcome),
            None => with_trace(|trace| trace.pending = Some(outcome)),
        }
    }

    /// Begins the next pass, or ends.
    pub fn next(&mut self, vars: &mut Vars<'_>) -> AfterPass {
        if self.before.is_none() {
            self.before = Some(vars.read());
            return AfterPass::Run;
        }
        loop {
            let Some(last) = self.path.last_mut() else {
                let left = with_trace(|trace| trace.pending.is_some());
                return if left {
                    AfterPass::Exit
                } else {
                    AfterPass::Fall
                };
            };
            let step = last.next(vars);
            if step == AfterPass::Run {
                self.passed = 0;
                self.before = Some(vars.read());
                return AfterPass::Run;
            }
            let value = last.value();
            self.path.pop();
            match (self.path.last_mut(), step) {
                (None, AfterPass::Exit) => return AfterPass::Exit,
                (None, _) => {
                    self.value = value;
                    return AfterPass::Fall;
                }
                (Some(outer), AfterPass::Exit) => {
                    let outcome = with_trace(|trace| trace.pending.take())
                        .expect("noted by the branch inside");
                    outer.leave(outcome);
                }
                (Some(outer), _) => outer.yields(value),
            }
        }
    }
}
