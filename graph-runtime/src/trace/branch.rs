//! Branches: the code of an `if` or `match` runs once per side, each time in a builder of its own, and the variables have their
//! previous values at the start of each side. After the sides, their results are merged.

use super::AfterPass;
use super::any::AnyTensor;
use super::builder::Builder;
use super::context::{Trace, check_depth, resolve, with_trace};
use super::nest::{Parts, Structure};
use super::outcome::{Code, ConstructId, Group, Outcome, Split};
use super::vars::{Snapshot, Structures, Vars, same_structure, write_values};
use crate::error::Location;
use crate::graph::ValueId;

/// The replay of an `if` with a tensor condition.
pub(crate) struct Branching {
    location: Location,
    construct: ConstructId,
    predicate: ValueId,
    /// The position of a side's builder in the stack.
    base: usize,
    /// How many nesting levels the construct adds for the code of its sides.
    levels: usize,
    originals: Option<Snapshot>,
    sides: Vec<Side>,
    /// The value of the side just traced; after merging, that of the whole construct.
    value: Option<Parts>,
}

/// A side that has been traced.
enum Side {
    /// Control reached its end.
    Fell(Fell),
    /// It left early in every case.
    Left(Builder, Outcome),
}

/// A side whose end control reached. Its builders are kept open, so that the code after the branch can continue in them.
struct Fell {
    builders: Vec<Builder>,
    splits: Vec<Split>,
    state: Snapshot,
    values: Vec<ValueId>,
    value: Option<(Parts, Vec<ValueId>)>,
}

impl Branching {
    /// Begins the replay; nothing is traced yet.
    pub fn new(condition: &AnyTensor, location: Location) -> Branching {
        let predicate = resolve(condition, &location);
        with_trace(|trace| Branching {
            construct: trace.new_construct(),
            predicate: predicate.unwrap_or_else(|e| {
                trace.record(e.message().to_owned(), e.location());
                trace
                    .top()
                    .constant(graph_kernels::Array::scalar(false), location.clone())
            }),
            location,
            base: trace.builders.len(),
            levels: 0,
            originals: None,
            sides: Vec::new(),
            value: None,
        })
    }

    /// Begins the first side, with the variables as they were before. Of several decisions in a row, only the first adds a nesting level.
    pub fn begin(&mut self, before: Snapshot, in_a_row: bool) {
        if !in_a_row {
            check_depth(&self.location);
            self.levels = 1;
        }
        self.originals = Some(before);
        with_trace(|trace| {
            trace.replaying += 1;
            trace.nesting += self.levels;
            trace.builders.push(Builder::new());
        });
    }

    /// True while the side for a true predicate is traced.
    pub fn branch(&self) -> bool {
        self.sides.is_empty()
    }

    /// Records the value of the side that has just reached its end.
    pub fn yields(&mut self, value: Option<Parts>) {
        self.value = value;
    }

    /// The value of the whole construct, if it has one.
    pub fn value(&mut self) -> Option<Parts> {
        self.value.take()
    }

    /// The value of the whole construct, once all sides are done.
    pub fn take_value(&mut self) -> Parts {
        self.value
            .take()
            .expect("a branch with a value yields one on each side that falls through")
    }

    /// Ends the side early, with a `return`, `break`, `continue` or failure.
    pub fn leave(&mut self, outcome: Outcome) {
        with_trace(|trace| {
            let outcome = trace.close_to(self.base, outcome);
            let builder = trace.builders.pop().expect("the side's builder");
            self.sides.push(Side::Left(builder, outcome));
        });
    }

    /// Begins the next side, or merges the sides.
    pub fn next(&mut self, vars: &mut Vars<'_>) -> AfterPass {
        let Some(originals) = &self.originals else {
            self.begin(vars.read(), false);
            return AfterPass::Run;
        };
        let left_early = with_trace(|trace| trace.builders.len() == self.base);
        if !left_early {
            let (state, value) = (vars.read(), self.value.take());
            with_trace(|trace| {
                let fell = Fell::new(trace, self.base, state, value, &self.location);
                self.sides.push(Side::Fell(fell));
            });
        }
        if self.sides.len() == 1 {
            vars.restore(originals);
            with_trace(|trace| trace.builders.push(Builder::new()));
            return AfterPass::Run;
        }
        self.merge(vars)
    }

    fn merge(&mut self, vars: &mut Vars<'_>) -> AfterPass {
        with_trace(|trace| {
            trace.replaying -= 1;
            trace.nesting -= self.levels;
        });
        let else_side = self.sides.pop().expect("two sides");
        let then_side = self.sides.pop().expect("two sides");
        match (then_side, else_side) {
            (Side::Left(b, o), Side::Left(c, p)) => {
                with_trace(|trace| {
                    let outcome = trace.merge(self.predicate, (b, o), (c, p), &self.location);
                    trace.pending = Some(outcome);
                });
                AfterPass::Exit
            }
            (Side::Left(b, o), Side::Fell(fell)) if o.fails() => {
                self.join_failed((b, o), true, fell, vars)
            }
            (Side::Fell(fell), Side::Left(b, o)) if o.fails() => {
                self.join_failed((b, o), false, fell, vars)
            }
            (Side::Left(b, o), Side::Fell(fell)) => self.go_on((b, o), true, fell, vars),
            (Side::Fell(fell), Side::Left(b, o)) => self.go_on((b, o), false, fell, vars),
            (Side::Fell(a), Side::Fell(b)) => self.join(a, b, vars),
        }
    }

    /// One side left early: the code after the branch continues inside the other side.
    fn go_on(
        &mut self,
        left: (Builder, Outcome),
        left_is_then: bool,
        fell: Fell,
        vars: &mut Vars<'_>,
    ) -> AfterPass {
        let split = Split {
            predicate: self.predicate,
            left_is_then,
            left,
            depth: self.base,
            location: self.location.clone(),
        };
        with_trace(|trace| {
            trace.builders.extend(fell.builders);
            trace.splits.push(split);
            trace.splits.extend(fell.splits);
        });
        vars.restore(&fell.state);
        self.value = fell.value.map(|(parts, _)| parts);
        AfterPass::Fall
    }

    /// Both sides fall through, at least in some cases.
    fn join(&mut self, then_side: Fell, else_side: Fell, vars: &mut Vars<'_>) -> AfterPass {
        same_structure(
            vars,
            &then_side.state,
            &else_side.state,
            "in the main branch",
            "in the else branch",
            &self.location,
        );
        let structure = then_side.state.structure_of();
        let value = then_side.structure();
        if let (Some(a), Some(b)) = (&value, else_side.structure())
            && !a.same(&*b)
        {
            let message = format!(
                "the value of a branch must have the same structure in the main and else branches: it is {a:?} in the main branch, \
                 but {b:?} in the else branch"
            );
            with_trace(|trace| trace.record(message, &self.location));
        }
        let outcome = with_trace(|trace| {
            let then_end = then_side.close(trace, self.base, self.construct);
            let else_end = else_side.close(trace, self.base, self.construct);
            trace.merge(self.predicate, then_end, else_end, &self.location)
        });
        self.continue_with(outcome, structure, value, vars)
    }

    /// One side fails, so the code after the branch gets the results of the other side.
    fn join_failed(
        &mut self,
        failed: (Builder, Outcome),
        failed_is_then: bool,
        fell: Fell,
        vars: &mut Vars<'_>,
    ) -> AfterPass {
        let (structure, value) = (fell.state.structure_of(), fell.structure());
        let outcome = with_trace(|trace| {
            let end = fell.close(trace, self.base, self.construct);
            let (then_end, else_end) = match failed_is_then {
                true => (failed, end),
                false => (end, failed),
            };
            trace.merge(self.predicate, then_end, else_end, &self.location)
        });
        self.continue_with(outcome, structure, value, vars)
    }

    /// Sets the variables and the construct's value from a merged outcome.
    fn continue_with(
        &mut self,
        outcome: Outcome,
        structure: Structures,
        value: Option<Box<dyn Structure>>,
        vars: &mut Vars<'_>,
    ) -> AfterPass {
        let location = self.location.clone();
        let values = outcome
            .group(Group::State(self.construct))
            .cloned()
            .unwrap_or_default();
        write_values(vars, &structure, &values);
        if let Some(parts) = value {
            let values = outcome
                .group(Group::Value(self.construct))
                .cloned()
                .unwrap_or_default();
            let leaves = with_trace(|trace| values.iter().map(|v| trace.symbol(*v)).collect());
            self.value = Some(Parts {
                structure: parts,
                leaves,
            });
        }
        with_trace(|trace| {
            trace.continue_behind(outcome, &[Code::Next], self.construct, &location)
        });
        AfterPass::Fall
    }
}

impl Fell {
    fn new(
        trace: &mut Trace,
        base: usize,
        state: Snapshot,
        value: Option<Parts>,
        location: &Location,
    ) -> Fell {
        let values = trace.resolve_leaves(state.leaves(), location);
        let value = value.map(|parts| {
            let values = trace.resolve_leaves(&parts.leaves, location);
            (parts, values)
        });
        let first = trace
            .splits
            .iter()
            .position(|s| s.depth > base)
            .unwrap_or(trace.splits.len());
        Fell {
            splits: trace.splits.drain(first..).collect(),
            builders: trace.builders.drain(base..).collect(),
            state,
            values,
            value,
        }
    }

    /// The structure of its value.
    fn structure(&self) -> Option<Box<dyn Structure>> {
        let (parts, _) = self.value.as_ref()?;
        Some(parts.structure.copy())
    }

    /// Closes the side, down to one builder.
    fn close(self, trace: &mut Trace, base: usize, construct: ConstructId) -> (Builder, Outcome) {
        trace.builders.extend(self.builders);
        trace.splits.extend(self.splits);
        let mut end = Outcome::always(Code::Next, Group::State(construct), self.values);
        end.groups.extend(
            self.value
                .map(|(_, values)| (Group::Value(construct), values)),
        );
        let outcome = trace.close_to(base, end);
        (trace.builders.pop().expect("the side's builder"), outcome)
    }
}
