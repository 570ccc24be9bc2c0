//! Code with several decisions in a row, such as a `match` with guards: it runs once per path. Each tensor that decides opens a
//! branch; the next pass repeats the decisions made so far and takes the other side of the last one that has one left.

use super::Step;
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
    /// The decisions of the path under way, outermost first.
    path: Vec<Branching>,
    /// How many of them this pass has come by.
    passed: usize,
    value: Option<Parts>,
    /// The variables as they were when the pass began, for the decisions it makes. `None` before the first pass.
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

    /// The decision at this place of a path that has been taken before.
    pub fn repeat(&mut self) -> Option<bool> {
        let decision = self.path.get(self.passed)?.branch();
        self.passed += 1;
        Some(decision)
    }

    /// Decides: as before on a repeated path, for the first side where the decision is new.
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

    /// Notes the value of the pass.
    pub fn yields(&mut self, value: Option<Parts>) {
        match self.path.last_mut() {
            Some(last) => last.yields(value),
            None => self.value = value,
        }
    }

    /// The value of the whole, if it has one.
    pub fn value(&mut self) -> Option<Parts> {
        self.value.take()
    }

    /// Ends the pass early.
    pub fn leave(&mut self, outcome: Outcome) {
        match self.path.last_mut() {
            Some(last) => last.leave(outcome),
            None => with_trace(|trace| trace.pending = Some(outcome)),
        }
    }

    /// Begins the next pass, or ends.
    pub fn next(&mut self, vars: &mut Vars<'_>) -> Step {
        if self.before.is_none() {
            self.before = Some(vars.read());
            return Step::Run;
        }
        loop {
            let Some(last) = self.path.last_mut() else {
                let left = with_trace(|trace| trace.pending.is_some());
                return if left { Step::Exit } else { Step::Fall };
            };
            let step = last.next(vars);
            if step == Step::Run {
                self.passed = 0;
                self.before = Some(vars.read());
                return Step::Run;
            }
            let value = last.value();
            self.path.pop();
            match (self.path.last_mut(), step) {
                (None, Step::Exit) => return Step::Exit,
                (None, _) => {
                    self.value = value;
                    return Step::Fall;
                }
                (Some(outer), Step::Exit) => {
                    let outcome = with_trace(|trace| trace.pending.take())
                        .expect("noted by the branch inside");
                    outer.leave(outcome);
                }
                (Some(outer), _) => outer.yields(value),
            }
        }
    }
}
