//! `return`, `break` and `continue` under a tensor condition: the surrounding replayed construct records how the branch ended and
//! with which values, and continues with the next branch.

use graph_kernels::Array;

use super::print::message;
use crate::error::{Error, Location};
use crate::graph::SUMMARIZE;
use crate::kind::{Carried, Graph, Kind, from_parts, parts};
use crate::kind::{Var, collect};
use crate::state::{GraphState, Nest};
use crate::trace::{self, AnyTensor, Code, ConstructId, Group, Outcome, Parts};

/// A construct that `break` and `continue` can name: a loop or a labelled block.
#[derive(Clone, Copy)]
pub struct Target(pub(crate) ConstructId);

/// A replayed construct whose passes can end early.
pub trait Leave<K: Kind>: Sized {
    /// Ends the pass with an outcome.
    #[doc(hidden)]
    fn leave(self, outcome: Leaving);

    /// `return value`, with the current values of the `&mut` parameters.
    #[track_caller]
    fn returns<T>(self, value: T, parameters: &mut [Var<'_, Graph>])
    where
        Carried<K, T>: GraphState,
    {
        let location = Location::caller();
        let parts = parts::<K, T>(value);
        let written = collect(parameters).read();
        let outcome = trace::with_trace(|trace| {
            let values = match &parts {
                Some(parts) => {
                    trace.check_returned(parts, &location);
                    let leaves = parts.leaves.iter().chain(written.leaves());
                    trace.resolve_leaves(leaves, &location)
                }
                None => {
                    let message = "an `Err` can't be returned under a tensor condition: whether it happens is decided when \
                                   the graph runs. Use `assert!(condition, \"message\")`";
                    trace.record(message.to_owned(), &location);
                    Vec::new()
                }
            };
            Outcome::always(Code::Return, Group::Returned, values)
        });
        self.leave(Leaving(outcome));
    }

    /// `panic!`: if this branch is taken in a run, the run fails with this message.
    #[track_caller]
    fn fails(self, says: impl FnOnce() -> String) {
        let location = Location::caller();
        let (message, tensors) = message(&location, SUMMARIZE, says);
        let never = AnyTensor::constant(Array::scalar(false));
        trace::assert_that(&never, message, &tensors, location);
        self.leave(Leaving(Outcome::failed()));
    }

    /// `break` out of a construct, with the current values of its variables.
    #[track_caller]
    fn breaks(self, target: Target, vars: &mut [Var<'_, K>]) {
        self.leave(Leaving(outcome(Code::Break(target.0), target, vars, None)));
    }

    /// `break value` out of a construct, with the current values of its variables.
    #[track_caller]
    fn breaks_with<T>(self, target: Target, value: T, vars: &mut [Var<'_, K>])
    where
        Carried<K, T>: GraphState,
    {
        let parts = parts::<K, T>(value);
        trace::with_trace(|trace| trace.note_value(target.0, parts.as_ref()));
        self.leave(Leaving(outcome(Code::Break(target.0), target, vars, parts)));
    }

    /// `continue` of a construct, with the current values of its variables.
    #[track_caller]
    fn continues(self, target: Target, vars: &mut [Var<'_, K>]) {
        self.leave(Leaving(outcome(
            Code::Continue(target.0),
            target,
            vars,
            None,
        )));
    }

    /// A construct inside this one is always left early, so this one is, too.
    fn exits(self) {
        let outcome = trace::with_trace(|trace| trace.pending.take())
            .expect("the construct inside has noted how it is left");
        self.leave(Leaving(outcome));
    }

    /// The value of a function whose last construct always returns. Each `return` was checked at its place. The `&mut` parameters
    /// keep the values that they had there.
    #[track_caller]
    fn returned<T>(self, parameters: &mut [Var<'_, Graph>]) -> T
    where
        Carried<K, T>: Nest,
    {
        let mut parameters = collect(parameters);
        let structures = parameters.read().structure_of();
        let count = parameters.read().leaves().count();
        let outcome = trace::with_trace(|trace| trace.pending.take())
            .expect("the construct has noted how it is left");
        if outcome.fails() {
            let message = "this function fails in every case";
            trace::fail(Error::trace(message, Location::caller()));
        }
        let (parts, written) = trace::with_trace(|trace| {
            let mut values = outcome.group(Group::Returned).cloned().unwrap_or_default();
            let written = values.split_off(values.len().saturating_sub(count));
            let leaves = values.into_iter().map(|v| trace.symbol(v)).collect();
            let structure = trace
                .returned
                .as_ref()
                .expect("a `return` has noted its structure")
                .copy();
            (Parts { structure, leaves }, written)
        });
        trace::write_values(&mut parameters, &structures, &written);
        from_parts::<K, T>(parts)
    }
}

/// How a pass ends, for the tracer.
pub struct Leaving(pub(crate) Outcome);

#[track_caller]
fn outcome<K>(
    code: Code,
    target: Target,
    vars: &mut [Var<'_, K>],
    value: Option<Parts>,
) -> Outcome {
    let location = Location::caller();
    let vars = collect(vars);
    let state = vars.read();
    trace::with_trace(|trace| {
        let values = trace.resolve_leaves(state.leaves(), &location);
        let mut outcome = Outcome::with_state(code, target.0, values, state.named(&vars));
        if let Some(parts) = value {
            let values = trace.resolve_leaves(&parts.leaves, &location);
            outcome.groups.push((Group::Value(target.0), values));
        }
        outcome
    })
}
