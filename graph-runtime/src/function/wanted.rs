//! A call that gives its concrete function instead of running it: the generated code is the same for both, so the call unwinds with
//! what it found as soon as it has it.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;

use super::{ConcreteFunction, GraphFunction};
use crate::error::{Error, Result};
use crate::trace;

thread_local! {
    /// The function whose next call gives its concrete function instead of running it, if it is called within as many others.
    static WANTED: Cell<Option<Wanted>> = const { Cell::new(None) };
}

#[derive(Clone, Copy)]
struct Wanted {
    function: *const GraphFunction,
    depth: usize,
    /// The line that wants it.
    location: &'static std::panic::Location<'static>,
}

/// The line that wants the concrete function instead of a run.
pub(super) fn wanted_by(
    function: &GraphFunction,
) -> Option<&'static std::panic::Location<'static>> {
    let wanted = WANTED.get()?;
    let is_this = std::ptr::eq(wanted.function, function) && wanted.depth == trace::depth();
    is_this.then_some(wanted.location)
}

pub(super) fn is_wanted(function: &GraphFunction) -> bool {
    wanted_by(function).is_some()
}

/// What a call unwinds with that is to give its concrete function: that, or why there is none.
type HandedOver = Result<Arc<ConcreteFunction>>;

pub(super) fn hand_over(concrete: HandedOver) -> ! {
    resume_unwind(Box::new(concrete))
}

/// See [`GraphFunction::concrete`]: the call unwinds with the concrete function once that is found.
#[track_caller]
pub(super) fn concrete<R>(
    function: &'static GraphFunction,
    call: impl FnOnce() -> R,
) -> Result<Arc<ConcreteFunction>> {
    let location = std::panic::Location::caller();
    let outer = WANTED.replace(Some(Wanted {
        function,
        depth: trace::depth(),
        location,
    }));
    let result = catch_unwind(AssertUnwindSafe(call));
    WANTED.set(outer);
    match result {
        Ok(_) => Err(Error::trace(
            format!(
                "`{}` gave no graph: it ran as plain Rust, or its body returned an `Err` of its own while it was traced",
                function.name()
            ),
            location.into(),
        )),
        Err(payload) => match payload.downcast::<HandedOver>() {
            Ok(concrete) => *concrete,
            Err(payload) => resume_unwind(payload),
        },
    }
}
