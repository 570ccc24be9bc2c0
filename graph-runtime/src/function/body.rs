//! Runs the body of a call: traced if a graph can return its result, else as plain Rust. Generated code wraps the body; the
//! wrapper's methods come from the first trait that the result's type implements.

use std::cell::Cell;
use std::convert::Infallible;
use std::marker::PhantomData;
use std::sync::Arc;

use super::call::Call;
use super::finished::{Ended, Finished};
use super::inline::run_eagerly;
use super::{ConcreteFunction, Reservation};
use crate::error::{Error, Result};
use crate::kind::{Graph, Var};
use crate::state::Nest;
use crate::trace::Open;

/// The body of a call.
pub struct CallBody<F>(Cell<Option<F>>);

impl<F> CallBody<F> {
    fn take(&self) -> F {
        self.0.take().expect("a new body")
    }
}

/// Wraps a body for [`RunTraced`] or [`RunInline`], whichever its result allows.
pub fn body<R, F: FnOnce() -> R>(body: F) -> CallBody<F> {
    CallBody(Cell::new(Some(body)))
}

/// A body whose result borrows, so that no graph can return it.
pub struct RustBody<F>(CallBody<F>);

/// Wraps a body whose result's type names a lifetime. It always runs as plain Rust. The choice of a trait by type ignores
/// lifetimes, so a map with borrowed keys would be treated like one with owned keys.
pub fn rust_body<R, F: FnOnce() -> R>(body: F) -> RustBody<F> {
    RustBody(CallBody(Cell::new(Some(body))))
}

/// Bodies whose result a graph can return.
pub trait RunTraced<R> {
    /// Runs the call by its graph.
    fn run(self, call: &mut Call) -> Finished<R>;
    /// The same, up to the point where the `&mut` parameters are written.
    fn begin(self, call: &mut Call) -> Begun<R>;
}

/// Bodies whose result no graph can return: they run as plain Rust.
pub trait RunInline<R> {
    /// Runs the body.
    fn run(&self, call: &mut Call) -> Finished<R>;
    /// The same; the body has written the `&mut` parameters itself.
    fn begin(&self, call: &mut Call) -> Ran<R>;
}

impl<R: Nest, F: FnOnce() -> R> RunTraced<R> for CallBody<F> {
    #[track_caller]
    fn run(self, call: &mut Call) -> Finished<R> {
        let begun = call.begin(|| self.take()());
        call.finish(begun, &mut [])
    }
    #[track_caller]
    fn begin(self, call: &mut Call) -> Begun<R> {
        call.begin(|| self.take()())
    }
}

impl<R, F: FnOnce() -> R> RunInline<R> for CallBody<F> {
    fn run(&self, call: &mut Call) -> Finished<R> {
        RunInline::begin(self, call).ran()
    }
    fn begin(&self, call: &mut Call) -> Ran<R> {
        Ran(match call.refused.take().or_else(|| call.overflow()) {
            Some(error) => Err(error),
            None if call.is_only_traced => Err(call.has_no_graph()),
            None => {
                call.needs_no_signature();
                run_eagerly(|| self.take()())
            }
        })
    }
}

impl<R, F: FnOnce() -> R> RunInline<R> for RustBody<F> {
    fn run(&self, call: &mut Call) -> Finished<R> {
        RunInline::run(&self.0, call)
    }
    fn begin(&self, call: &mut Call) -> Ran<R> {
        RunInline::begin(&self.0, call)
    }
}

/// The state of a call after its body has run, or after a trace was found that makes that unnecessary.
pub struct Begun<R>(pub(super) State<R>);

/// The result of a body that ran as plain Rust. It may borrow from a `&mut` parameter, so generated code must not touch the parameters afterwards.
pub struct Ran<R>(Result<R>);

/// An uninhabited type: the code that follows is never reached.
pub struct NotTraced<R> {
    /// The proof of it, for the compiler.
    pub witness: Infallible,
    result: PhantomData<R>,
}

impl<R> Begun<R> {
    /// Whether a graph may have to write the `&mut` parameters.
    pub fn is_traced(&self) -> bool {
        true
    }
    /// Returns itself.
    pub fn traced(self) -> Begun<R> {
        self
    }
    /// Never called.
    pub fn ran(self) -> Finished<R> {
        unreachable!("generated code asks before")
    }
}

impl<R> Ran<R> {
    /// Whether a graph may have to write the `&mut` parameters.
    pub fn is_traced(&self) -> bool {
        false
    }
    /// Never called.
    pub fn traced(self) -> NotTraced<R> {
        unreachable!("generated code asks before")
    }
    /// Ends the call.
    pub fn ran(self) -> Finished<R> {
        Finished::new(self.0.map(Ended::Result))
    }
}

impl<R> NotTraced<R> {
    /// As [`Begun::finish`].
    pub fn finish(self, _: &mut Call, _: &mut [Var<'_, Graph>]) -> Finished<R> {
        match self.witness {}
    }
}

impl<R: Nest> Begun<R> {
    /// Ends the call: closes the trace, runs the graph, writes the `&mut` parameters.
    pub fn finish(self, call: &mut Call, vars: &mut [Var<'_, Graph>]) -> Finished<R> {
        call.finish(self, vars)
    }
}

/// The progress of a call.
pub(super) enum State<R> {
    /// A trace for the signature exists.
    Found(Arc<ConcreteFunction>),
    /// The body was traced. The trace is still open, because the `&mut` parameters may become outputs.
    Traced {
        reservation: Option<Reservation>,
        result: R,
        open: Open,
    },
    /// The body was run, with this result.
    Done(R),
    Failed(Error),
}

impl<R> From<Result<R>> for State<R> {
    fn from(result: Result<R>) -> State<R> {
        match result {
            Ok(result) => State::Done(result),
            Err(error) => State::Failed(error),
        }
    }
}
