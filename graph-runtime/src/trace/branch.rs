//! Branches: the code of an `if` or `match` runs once per side, each time in a builder of its own, and the
//! variables start each side as they were before it. Behind the sides, what they left is merged.

use super::Step;
use super::builder::Builder;
use super::context::{Trace, resolve, with_trace};
use super::outcome::{Code, FrameId, Group, Outcome, Split};
use super::vars::{Snapshot, Vars, resolve_parts, same_structure, write_values};
use crate::error::Location;
use crate::graph::ValueId;
use crate::state::Parts;
use crate::tensor::any::AnyTensor;

/// The replay of an `if` with a tensor condition.
pub(crate) struct Branching {
    location: Location,
    frame: FrameId,
    predicate: ValueId,
    /// Position of a side's builder in the stack.
    base: usize,
    originals: Option<Snapshot>,
    sides: Vec<Side>,
    /// The value of the side just traced, or of the whole once it is merged.
    value: Option<Parts>,
}

/// A side that has been traced.
enum Side {
    /// Control reached its end. Its builders are kept open, so that the code behind can go on in them.
    Fell {
        builders: Vec<Builder>,
        splits: Vec<Split>,
        state: Snapshot,
        values: Vec<ValueId>,
        value: Option<(Parts, Vec<ValueId>)>,
    },
    /// It left early in every case.
    Left(Builder, Outcome),
}

impl Branching {
    /// Begins the replay; nothing is traced yet.
    pub fn new(condition: &AnyTensor, location: Location) -> Branching {
        let predicate = resolve(condition, &location);
        with_trace(|trace| Branching {
            frame: trace.new_frame(),
            predicate: predicate.unwrap_or_else(|e| {
                trace.record(e.message().to_owned(), e.location());
                trace
                    .top()
                    .constant(graph_kernels::Array::scalar(false), location.clone())
            }),
            location,
            base: trace.builders.len(),
            originals: None,
            sides: Vec::new(),
            value: None,
        })
    }

    /// Begins the first side, with the variables as they were before.
    pub fn begin(&mut self, before: Snapshot) {
        self.originals = Some(before);
        with_trace(|trace| {
            trace.replaying += 1;
            trace.builders.push(Builder::new());
        });
    }

    /// True while the side for a true predicate is traced.
    pub fn branch(&self) -> bool {
        self.sides.is_empty()
    }

    /// Notes the value of the side that has just reached its end.
    pub fn yields(&mut self, value: Option<Parts>) {
        self.value = value;
    }

    /// The value of the whole, if it has one.
    pub fn value(&mut self) -> Option<Parts> {
        self.value.take()
    }

    /// The value of the whole, once all sides are done.
    pub fn take_value(&mut self) -> Parts {
        self.value
            .take()
            .expect("a branch with a value yields one on each side that falls through")
    }

    /// Ends the side early.
    pub fn leave(&mut self, outcome: Outcome) {
        with_trace(|trace| {
            let outcome = trace.close_to(self.base, outcome);
            let builder = trace.builders.pop().expect("the side's builder");
            self.sides.push(Side::Left(builder, outcome));
        });
    }

    /// Begins the next side, or merges them.
    pub fn next(&mut self, vars: &mut Vars<'_>) -> Step {
        let Some(originals) = &self.originals else {
            self.begin(vars.read());
            return Step::Run;
        };
        let left_early = with_trace(|trace| trace.builders.len() == self.base);
        if !left_early {
            let (state, value) = (vars.read(), self.value.take());
            with_trace(|trace| {
                self.sides
                    .push(Side::fell(trace, self.base, state, value, &self.location))
            });
        }
        if self.sides.len() == 1 {
            vars.restore(originals);
            with_trace(|trace| trace.builders.push(Builder::new()));
            return Step::Run;
        }
        self.merge(vars)
    }

    fn merge(&mut self, vars: &mut Vars<'_>) -> Step {
        with_trace(|trace| trace.replaying -= 1);
        let else_side = self.sides.pop().expect("two sides");
        let then_side = self.sides.pop().expect("two sides");
        let (predicate, depth, location) = (self.predicate, self.base, self.location.clone());
        match (then_side, else_side) {
            (
                Side::Left(b, o),
                Side::Fell {
                    builders,
                    splits,
                    state,
                    value,
                    ..
                },
            ) => {
                let split = Split {
                    predicate,
                    left_is_then: true,
                    left: (b, o),
                    depth,
                    location,
                };
                self.go_on(split, builders, splits, &state, value, vars)
            }
            (
                Side::Fell {
                    builders,
                    splits,
                    state,
                    value,
                    ..
                },
                Side::Left(b, o),
            ) => {
                let split = Split {
                    predicate,
                    left_is_then: false,
                    left: (b, o),
                    depth,
                    location,
                };
                self.go_on(split, builders, splits, &state, value, vars)
            }
            (Side::Left(b, o), Side::Left(c, p)) => {
                with_trace(|trace| {
                    trace.pending = Some(trace.merge(predicate, (b, o), (c, p), &location))
                });
                Step::Exit
            }
            (then_side, else_side) => self.join(then_side, else_side, vars),
        }
    }

    /// One side left: the code behind goes on inside the other.
    fn go_on(
        &mut self,
        split: Split,
        builders: Vec<Builder>,
        splits: Vec<Split>,
        state: &Snapshot,
        value: Option<(Parts, Vec<ValueId>)>,
        vars: &mut Vars<'_>,
    ) -> Step {
        with_trace(|trace| {
            trace.builders.extend(builders);
            trace.splits.push(split);
            trace.splits.extend(splits);
        });
        vars.restore(state);
        self.value = value.map(|(parts, _)| parts);
        Step::Fall
    }

    /// Both sides fall through, at least in some cases.
    fn join(&mut self, then_side: Side, else_side: Side, vars: &mut Vars<'_>) -> Step {
        let (then_state, else_state) = (then_side.state(), else_side.state());
        same_structure(
            vars,
            then_state,
            else_state,
            "in the main branch",
            "in the else branch",
            &self.location,
        );
        let structure = then_state.structure_of();
        let value = then_side.value();
        if let (Some(a), Some(b)) = (&value, else_side.value())
            && !a.same(&*b)
        {
            let message = format!(
                "the value of a branch must have the same structure in the main and else branches: it is {a:?} in the main branch, \
                 but {b:?} in the else branch"
            );
            with_trace(|trace| trace.record(message, &self.location));
        }
        let location = self.location.clone();
        let outcome = with_trace(|trace| {
            let then_end = then_side.close(trace, self.base, self.frame);
            let else_end = else_side.close(trace, self.base, self.frame);
            trace.merge(self.predicate, then_end, else_end, &location)
        });
        let values = outcome
            .group(Group::State(self.frame))
            .cloned()
            .unwrap_or_default();
        write_values(vars, &structure, &values);
        if let Some(parts) = value {
            let values = outcome
                .group(Group::Value(self.frame))
                .cloned()
                .unwrap_or_default();
            let leaves = with_trace(|trace| values.iter().map(|v| trace.symbol(*v)).collect());
            self.value = Some(Parts {
                structure: parts,
                leaves,
            });
        }
        with_trace(|trace| trace.continue_behind(outcome, &[Code::Next], self.frame, &location));
        Step::Fall
    }
}

impl Side {
    fn fell(
        trace: &mut Trace,
        base: usize,
        state: Snapshot,
        value: Option<Parts>,
        location: &Location,
    ) -> Side {
        let values = resolve_parts(trace, &state, location);
        let value = value.map(|parts| {
            let values = parts
                .leaves
                .iter()
                .map(|t| trace.resolve_or_record(t, location))
                .collect();
            (parts, values)
        });
        let first = trace
            .splits
            .iter()
            .position(|s| s.depth > base)
            .unwrap_or(trace.splits.len());
        Side::Fell {
            splits: trace.splits.drain(first..).collect(),
            builders: trace.builders.drain(base..).collect(),
            state,
            values,
            value,
        }
    }

    fn state(&self) -> &Snapshot {
        match self {
            Side::Fell { state, .. } => state,
            Side::Left(..) => unreachable!("only sides that fell are joined"),
        }
    }

    fn value(&self) -> Option<Box<dyn crate::state::Structure>> {
        match self {
            Side::Fell { value, .. } => value.as_ref().map(|(parts, _)| parts.structure.copy()),
            Side::Left(..) => None,
        }
    }

    /// Closes a side that fell, down to one builder.
    fn close(self, trace: &mut Trace, base: usize, frame: FrameId) -> (Builder, Outcome) {
        let Side::Fell {
            builders,
            splits,
            values,
            value,
            ..
        } = self
        else {
            unreachable!("only sides that fell are joined")
        };
        trace.builders.extend(builders);
        trace.splits.extend(splits);
        let mut end = Outcome::always(Code::Next, Group::State(frame), values);
        end.groups
            .extend(value.map(|(_, values)| (Group::Value(frame), values)));
        let outcome = trace.close_to(base, end);
        (trace.builders.pop().expect("the side's builder"), outcome)
    }
}
