//! Bodies that run without a graph of their own: as plain Rust, eagerly, or traced through like any helper inside a trace.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use crate::error::{Error, Location, Result};
use crate::state::Nest;
use crate::trace::{self, AnyTensor, Code, Group, Outcome, Parts, Trace};

/// Runs the body as plain Rust: eagerly, or traced through like any helper inside a trace.
pub(super) fn run_body_inline<R: Nest>(body: impl FnOnce() -> R) -> Result<R> {
    match trace::may_trace() {
        true => Ok(trace_through(body)),
        false => with_room(body, run_outside),
    }
}

/// Runs the body on concrete tensors; inside a trace, where no graph could give its result, as it is.
pub(super) fn run_eagerly<R>(body: impl FnOnce() -> R) -> Result<R> {
    with_room(body, |body| match trace::may_trace() {
        true => {
            body();
            Ok(())
        }
        false => run_outside(body),
    })
}

/// Runs the body and catches an unwind, which it gives.
pub(super) fn caught<R>(body: impl FnOnce() -> R) -> std::thread::Result<R> {
    with_room(body, |body| catch_unwind(AssertUnwindSafe(body)))
}

/// Has the body run by `run`. Between the two nothing is moved, neither what the body has captured nor its result: these may be large, and
/// without optimization each function in between would have room for them on the stack, more than once.
fn with_room<R, E>(
    body: impl FnOnce() -> R,
    run: impl FnOnce(&mut dyn FnMut()) -> std::result::Result<(), E>,
) -> std::result::Result<R, E> {
    let mut body = Some(body);
    let mut result = None;
    run(&mut || {
        if let Some(body) = body.take() {
            result = Some(body());
        }
    })?;
    let Some(result) = result else {
        unreachable!("a body that wasn't left has a result")
    };
    Ok(result)
}

/// Runs the body where nothing is traced.
fn run_outside(body: &mut dyn FnMut()) -> Result<()> {
    let _open = trace::begin_eager();
    let ended = catch_unwind(AssertUnwindSafe(body));
    match (ended, trace::end_error()) {
        (Ok(()), None) => Ok(()),
        (Ok(()), Some(error)) => Err(error),
        (Err(payload), error) => Err(unwound(payload, error)),
    }
}

/// The error that ended a body by unwinding, or the first one recorded before it, of which a panic may be a consequence; any other panic goes on.
pub(super) fn unwound(payload: Box<dyn Any + Send>, recorded: Option<Error>) -> Error {
    match (recorded, payload.downcast::<Error>()) {
        (Some(recorded), _) => recorded,
        (None, Ok(error)) => *error,
        (None, Err(payload)) => resume_unwind(payload),
    }
}

/// Runs a body inside the trace around it; its `return`s under tensor conditions are its own.
#[track_caller]
pub(super) fn trace_through<R: Nest>(body: impl FnOnce() -> R) -> R {
    let location = Location::caller();
    let was_rust = trace::is_rust();
    let (depth, outer) = match was_rust {
        true => (0, None),
        false => {
            trace::check_depth(&location);
            trace::with_trace(|t| {
                t.nesting += 1;
                (t.builders.len() - 1, t.returned.take())
            })
        }
    };
    let result = body();
    if trace::is_rust() {
        return result;
    }
    if !was_rust {
        trace::with_trace(|t| t.nesting -= 1);
    }
    let merged = Parts::of(&result).and_then(|parts| {
        let leaves = trace::with_trace(|t| close_through(t, depth, &parts, &location))?;
        Some(parts.rebuild(leaves))
    });
    trace::with_trace(|t| t.returned = outer);
    merged.unwrap_or(result)
}

/// Merges what a traced-through body gives at its end with what its `return`s gave. `None` if it had none.
fn close_through(
    trace: &mut Trace,
    depth: usize,
    parts: &Parts,
    location: &Location,
) -> Option<Vec<AnyTensor>> {
    if trace.builders.len() == depth + 1 {
        return None;
    }
    let values = trace.resolve_leaves(&parts.leaves, location);
    trace.check_returned(parts, location);
    let end = Outcome::always(Code::Return, Group::Returned, values);
    let outcome = trace.close_to(depth, end);
    let values = outcome.group(Group::Returned).cloned().unwrap_or_default();
    Some(values.into_iter().map(|v| trace.symbol(v)).collect())
}
