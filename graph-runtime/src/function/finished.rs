//! What a call ends with: its result, or its error as the function's own type has room for it.

use std::cell::Cell;

use super::wanted::leave_if_handed_over;
use crate::error::{Error, Result};
use crate::trace;

/// The result of a call, or its error.
pub struct Finished<R>(pub(super) Cell<Option<Result<R>>>);

/// Functions whose `Result` has room for a graph's error.
pub trait GiveResult<R> {
    /// The result, with a graph's error inside.
    fn give(self) -> R;
}

/// All other functions.
pub trait GiveOrPanic<R> {
    /// The result.
    ///
    /// # Panics
    /// With a graph's error.
    fn give(&self) -> R;
}

impl<T, E: From<Error>> GiveResult<Result<T, E>> for Finished<Result<T, E>> {
    fn give(self) -> Result<T, E> {
        self.0
            .into_inner()
            .expect("a new result")
            .unwrap_or_else(|error| Err(E::from(error)))
    }
}

impl<R> GiveOrPanic<R> for Finished<R> {
    #[track_caller]
    fn give(&self) -> R {
        let error = match self.0.take().expect("a new result") {
            Ok(result) => return result,
            Err(error) => error,
        };
        leave_if_handed_over();
        if trace::active() {
            // Inside another graph function the error goes to that one's caller.
            trace::fail(error);
        }
        panic!("{error}")
    }
}
