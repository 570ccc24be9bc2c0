//! A call that gives its concrete function instead of running it: the generated code is the same for both. The call leaves its concrete function
//! where [`concrete`] finds it, and goes on with a result that nobody looks at.

use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;

use super::{ConcreteFunction, GraphFunction};
use crate::error::{Error, Result};
use crate::trace;

thread_local! {
    /// The function whose next call gives its concrete function instead of running it, if it is called within as many others.
    static WANTED: Cell<Option<Wanted>> = const { Cell::new(None) };
    /// What that call has found.
    static HANDED_OVER: RefCell<Option<HandedOver>> = const { RefCell::new(None) };
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

/// What a call hands over that is to give its concrete function: that, or why there is none.
type HandedOver = Result<Arc<ConcreteFunction>>;

pub(super) fn hand_over(concrete: HandedOver) {
    HANDED_OVER.set(Some(concrete));
}

/// Ends a call that has handed over an error, where its result has no room for one. In any other call it does nothing.
pub(super) fn leave_if_handed_over() {
    let error = HANDED_OVER.with_borrow(|handed_over| match handed_over {
        Some(Err(error)) => Some(error.clone()),
        _ => None,
    });
    if let Some(error) = error {
        trace::unwind(Left, &error);
    }
}

/// What such a call unwinds with.
struct Left;

/// See [`GraphFunction::concrete`]: the concrete function that the call has found.
#[track_caller]
pub(super) fn concrete<R>(
    function: &'static GraphFunction,
    call: impl FnOnce() -> R,
) -> Result<Arc<ConcreteFunction>> {
    let location = std::panic::Location::caller();
    let wanted = Wanted {
        function,
        depth: trace::depth(),
        location,
    };
    let outer = (WANTED.replace(Some(wanted)), HANDED_OVER.take());
    let ended = catch_unwind(AssertUnwindSafe(call));
    let handed_over = HANDED_OVER.replace(outer.1);
    WANTED.set(outer.0);
    match (ended, handed_over) {
        (Err(payload), _) if !payload.is::<Left>() => resume_unwind(payload),
        (_, Some(handed_over)) => handed_over,
        (_, None) => Err(Error::trace(
            format!(
                "`{}` gave no graph: it ran as plain Rust, or its body returned an `Err` of its own while it was traced",
                function.name()
            ),
            location.into(),
        )),
    }
}
