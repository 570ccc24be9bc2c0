//! The result of a generated `trace` function: the result of the call, the concrete function if only that was asked for, or an
//! error. The function itself returns the first, with an error if its return type can hold one; `f::concrete(…)` returns the second.

use std::cell::Cell;
use std::sync::Arc;

use super::ConcreteFunction;
use crate::error::{Error, Result};
use crate::trace;

/// The end of a call, or its error.
pub struct Finished<R>(Cell<Option<Result<Ended<R>>>>);

/// How a call ends.
pub(crate) enum Ended<R> {
    /// It was carried out.
    Result(R),
    /// It was only traced.
    Traced(Arc<ConcreteFunction>),
    /// Its trace failed within another trace, which continues with a poisoned result; the outer trace has recorded the error.
    Poisoned(R, Box<Error>),
}

impl<R> Finished<R> {
    pub(crate) fn new(ended: Result<Ended<R>>) -> Finished<R> {
        Finished(Cell::new(Some(ended)))
    }

    /// The concrete function of a call that was only traced.
    ///
    /// # Errors
    /// If tracing failed, or if no graph can be made of the call.
    pub fn concrete(self) -> Result<Arc<ConcreteFunction>> {
        match self.ended()? {
            Ended::Traced(concrete) => Ok(concrete),
            Ended::Poisoned(_, error) => Err(*error),
            Ended::Result(_) => unreachable!("the call was only to be traced"),
        }
    }

    fn ended(&self) -> Result<Ended<R>> {
        self.0.take().expect("a new result")
    }
}

/// The result of a graph function, as the type of what `concrete` returns names it: so the bounds that it implies hold there, too.
pub trait ResultOfCall {
    /// What `concrete` returns.
    type Concrete;
}

impl<R> ResultOfCall for R {
    type Concrete = Result<Arc<ConcreteFunction>>;
}

const CARRIED_OUT: &str = "the call was to be carried out";

/// Functions that return a `Result` whose error type can hold a graph's error.
pub trait GiveResult<R> {
    /// The result, or a graph's error as `Err`.
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
        match self.ended() {
            Ok(Ended::Result(result)) => result,
            Ok(Ended::Poisoned(_, error)) => Err(E::from(*error)),
            Ok(Ended::Traced(_)) => unreachable!("{CARRIED_OUT}"),
            Err(error) => Err(E::from(error)),
        }
    }
}

impl<R> GiveOrPanic<R> for Finished<R> {
    #[track_caller]
    fn give(&self) -> R {
        let error = match self.ended() {
            Ok(Ended::Result(result)) => return result,
            Ok(Ended::Poisoned(result, error)) => {
                trace::record(*error);
                return result;
            }
            Ok(Ended::Traced(_)) => unreachable!("{CARRIED_OUT}"),
            Err(error) => error,
        };
        if trace::active() {
            // Inside another graph function, the error goes to the caller of that function.
            trace::fail(error);
        }
        panic!("{error}")
    }
}
