//! Bodies that run without a graph of their own: as plain Rust, eagerly, or inlined into the trace around them.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use super::stack::with_stack;
use crate::error::{Error, Location, Result};
use crate::state::Nest;
use crate::trace::{self, AnyTensor, Code, Group, Outcome, Parts, Trace};

/// Runs the body as plain Rust: eagerly, or inlined into the trace around it like any helper.
pub(super) fn run_body_inline<R: Nest>(body: impl FnOnce() -> R) -> Result<R> {
    match trace::may_trace() {
        true => Ok(trace_through(body)),
        false => with_room(body, run_outside),
    }
}

/// Runs the body on concrete tensors. Inside a trace, for a result that no graph can return, the body just runs.
pub(super) fn run_eagerly<R>(body: impl FnOnce() -> R) -> Result<R> {
    with_room(body, |body| match trace::may_trace() {
        true => {
            body();
            Ok(())
        }
        false => run_outside(body),
    })
}

/// Runs the body; a panic or unwind becomes an `Err`.
pub(super) fn caught<R>(body: impl FnOnce() -> R) -> std::thread::Result<R> {
    with_room(body, |body| catch_unwind(AssertUnwindSafe(body)))
}

/// The same on this piece of the stack.
#[inline]
pub(super) fn caught_here<R>(body: impl FnOnce() -> R) -> std::thread::Result<R> {
    in_place(body, |body| catch_unwind(AssertUnwindSafe(body)))
}

/// Lets `run` run the body where the stack has room for it.
fn with_room<R, E>(
    body: impl FnOnce() -> R,
    run: impl FnOnce(&mut dyn FnMut()) -> std::result::Result<(), E>,
) -> std::result::Result<R, E> {
    in_place(body, |body| with_stack(|| run(body)))
}

/// Lets `run` run the body. The body and its result stay in one place, because its captures and result may be large: without
/// optimization, each function that they are passed through would reserve stack space for them, more than once.
#[inline]
fn in_place<R, E>(
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

/// Runs the body outside of any trace.
fn run_outside(body: &mut dyn FnMut()) -> Result<()> {
    let _open = trace::begin_eager();
    let ended = catch_unwind(AssertUnwindSafe(body));
    match ended {
        Ok(()) => trace::end_error().map_or(Ok(()), Err),
        Err(payload) => Err(unwound(payload)),
    }
}

/// Ends the innermost function after an unwind. Returns the error behind it: the first error recorded before it, since the panic may be a
/// consequence of it, else the error that caused the unwind. Any other panic is resumed.
pub(super) fn unwound(payload: Box<dyn Any + Send>) -> Error {
    let is_conditional = trace::is_conditional();
    match (trace::end_error(), payload.downcast::<Error>()) {
        (Some(recorded), _) => recorded,
        (None, Ok(error)) => *error,
        (None, Err(payload)) => {
            if is_conditional {
                eprintln!(
                    "note: a graph function was being traced, in a branch or loop that a tensor decides: Rust code there runs while tracing, \
                     whether or not a run gets there"
                );
            }
            resume_unwind(payload)
        }
    }
}

/// Inlines a body into the trace around it; its `return`s under tensor conditions end only the body.
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

/// Merges the result at the end of an inlined body with the results of its `return`s. `None` if it had none.
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
