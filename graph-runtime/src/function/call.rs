//! One call of a graph function: collects the signature, then runs the graph for it, tracing the body before if
//! the signature is new. Generated code is written against [`Call`].

use std::cell::Cell;
use std::convert::Infallible;
use std::marker::PhantomData;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::Ordering;

use smallvec::SmallVec;

use super::cache::Recursion;
use super::concrete::Outputs;
use super::describe::describe;
use super::finished::Finished;
use super::inline::{run_body_inline, run_eagerly, trace_through, unwound};
use super::signature::{Argument, Signature};
use super::wanted::{hand_over, is_wanted, wanted_by};
use super::{ConcreteFunction, Found, GraphFunction, Reservation};
use crate::autograph::{Graph, Var, collect};
use crate::debug::EAGER;
use crate::error::{Error, Location, Result};
use crate::state::{Nest, Parts};
use crate::trace::{self, Beginning, Code, Group, Outcome, Vars};

/// A call under way.
pub struct Call {
    pub(super) function: &'static GraphFunction,
    pub(super) location: Location,
    pub(super) signature: Signature,
    pub(super) how: How,
    /// How many words of the signature stand for generic parameters.
    generics: usize,
    /// What is wrong with an argument.
    pub(super) refused: Option<Error>,
    /// The `&mut` parameters before the call, to restore them if tracing fails.
    pub(super) originals: SmallVec<[Parts; 2]>,
    /// The words of the `&mut` parameters that Rust changes, while tracing.
    pub(super) of_rust: SmallVec<[Range<usize>; 1]>,
}

/// How a call is carried out.
#[derive(Clone, Copy, PartialEq, PartialOrd)]
pub(super) enum How {
    /// By the graph for its signature.
    Cached,
    /// By a graph made for this call: an argument has no signature.
    Uncached,
    /// As plain Rust: the body changes a value that no graph can.
    Inline,
}

/// Begins a call; `location` is the caller's.
#[track_caller]
pub fn call(function: &'static GraphFunction) -> Call {
    let how = if EAGER.is_on() && !trace::may_trace() && !is_wanted(function) {
        How::Inline
    } else {
        How::Cached
    };
    Call {
        function,
        location: wanted_by(function).map_or(Location::caller(), Location::from),
        signature: Signature::default(),
        how,
        generics: 0,
        refused: None,
        originals: SmallVec::new(),
        of_rust: SmallVec::new(),
    }
}

impl How {
    pub fn or_worse(self, other: How) -> How {
        if self < other { other } else { self }
    }
}

/// The body of a call.
pub struct CallBody<F>(Cell<Option<F>>);

/// Wraps a body for [`RunTraced`] or [`RunInline`], whichever its result allows.
pub fn body<R, F: FnOnce() -> R>(body: F) -> CallBody<F> {
    CallBody(Cell::new(Some(body)))
}

/// Bodies whose result a graph can give.
pub trait RunTraced<R> {
    /// Runs the call by its graph.
    fn run(self, call: Call) -> Finished<R>;
    /// The same, up to the point where `&mut` parameters are written.
    fn begin(self, call: &mut Call) -> Begun<R>;
}

/// Bodies whose result is Rust's: they run as plain Rust.
pub trait RunInline<R> {
    /// Runs the body.
    fn run(&self, call: Call) -> Finished<R>;
    /// The same; there are no `&mut` parameters to write.
    fn begin(&self, call: &mut Call) -> Ran<R>;
}

impl<R: Nest, F: FnOnce() -> R> RunTraced<R> for CallBody<F> {
    #[track_caller]
    fn run(self, mut call: Call) -> Finished<R> {
        let begun = call.begin(self.0.into_inner().expect("a new body"));
        call.ended(begun, Vars(SmallVec::new()))
    }
    #[track_caller]
    fn begin(self, call: &mut Call) -> Begun<R> {
        call.begin(self.0.into_inner().expect("a new body"))
    }
}

impl<R, F: FnOnce() -> R> RunInline<R> for CallBody<F> {
    fn run(&self, mut call: Call) -> Finished<R> {
        RunInline::begin(self, &mut call).ran()
    }
    fn begin(&self, call: &mut Call) -> Ran<R> {
        Ran(match call.refused.take() {
            Some(error) => {
                if is_wanted(call.function) {
                    hand_over(Err(error.clone()));
                }
                Err(error)
            }
            None => run_eagerly(self.0.take().expect("a new body")),
        })
    }
}

/// What a call is after its body has run, or was found unnecessary.
pub struct Begun<R>(State<R>);

/// The result of a body that ran as plain Rust. It may borrow from a `&mut` parameter, so nobody may look at those behind it.
pub struct Ran<R>(Result<R>);

/// Has no values: behind it nothing is looked at.
pub struct NotTraced<R> {
    /// Tells the compiler so.
    pub witness: Infallible,
    result: PhantomData<R>,
}

impl<R> Begun<R> {
    /// Whether a graph may have to write the `&mut` parameters.
    pub fn is_traced(&self) -> bool {
        true
    }
    /// Itself.
    pub fn traced(self) -> Begun<R> {
        self
    }
    /// Never asked for.
    pub fn ran(self) -> Finished<R> {
        unreachable!("generated code asks before")
    }
}

impl<R> Ran<R> {
    /// Whether a graph may have to write the `&mut` parameters.
    pub fn is_traced(&self) -> bool {
        false
    }
    /// Never asked for.
    pub fn traced(self) -> NotTraced<R> {
        unreachable!("generated code asks before")
    }
    /// The end of the call.
    pub fn ran(self) -> Finished<R> {
        Finished(Cell::new(Some(self.0)))
    }
}

impl<R> NotTraced<R> {
    /// As [`Begun::finish`].
    pub fn finish(self, _: Call, _: &mut [Var<'_, Graph>]) -> Finished<R> {
        match self.witness {}
    }
}

impl<R: Nest> Begun<R> {
    /// Ends the call: closes the trace, runs the graph, writes the `&mut` parameters.
    pub fn finish(self, call: Call, vars: &mut [Var<'_, Graph>]) -> Finished<R> {
        call.finish(self, vars)
    }
}

enum State<R> {
    /// The graph is there.
    Found(Arc<ConcreteFunction>),
    /// The body was traced; the trace is still open, for the `&mut` parameters.
    Traced {
        reservation: Option<Reservation>,
        result: R,
    },
    /// The body was run and this is its result.
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

impl Call {
    /// Adds a generic parameter to the signature.
    pub fn generic<T: ?Sized>(mut self) -> Call {
        self.signature.type_of::<T>();
        self.generics = self.signature.key.len();
        self
    }

    /// Adds a constant generic parameter to the signature.
    pub fn constant<T: Argument>(mut self, value: T) -> Call {
        value.trace_type(&mut self.signature);
        self.generics = self.signature.key.len();
        self
    }

    /// Says that an argument of this type has no trace type.
    pub(super) fn no_trace_serves<T: ?Sized>(&mut self) {
        self.how = self.how.or_worse(How::Uncached);
        // Inside a trace the body is traced through, as any helper is.
        if !trace::active() {
            self.function.met_opaque(std::any::type_name::<T>());
        }
    }

    /// Runs the body if it must be traced or can't be.
    fn begin<R: Nest>(&mut self, body: impl FnOnce() -> R) -> Begun<R> {
        if let Some(error) = self.refused.take() {
            return Begun(State::Failed(error));
        }
        if self.signature.passing {
            self.how = self.how.or_worse(How::Uncached);
        }
        let state = match self.how {
            How::Inline => return Begun(run_body_inline(body).into()),
            _ if self.may_be_rust() => self.run_as_rust(body),
            How::Uncached if trace::is_tracing() => State::Done(trace_through(body)),
            How::Uncached => self.trace(None, body),
            How::Cached => match self.find() {
                Ok(Found::Trace(concrete)) => State::Found(concrete),
                Ok(Found::Nothing(reservation)) => {
                    // What is traced may be more general than the call.
                    self.signature.key.clone_from(&reservation.key);
                    self.trace(Some(reservation), body)
                }
                Err(Recursion) => State::Failed(Error::trace(
                    format!(
                        "graph function `{}` calls itself with the signature that is being traced, without end. Let a \
                         Rust value decide when the recursion ends, or write a loop",
                        self.function.name
                    ),
                    self.location.clone(),
                )),
            },
        };
        Begun(state)
    }

    /// True if no argument holds a tensor or variable, and no body of this function called like that has met one.
    fn may_be_rust(&self) -> bool {
        let signature = &self.signature;
        signature.leaves.is_empty()
            && signature.variables.is_empty()
            && !self.function.meets_tensors.load(Ordering::Relaxed)
            && !is_wanted(self.function)
    }

    /// Runs the body as plain Rust, of which nothing is kept; what follows the first tensor that it meets is traced.
    fn run_as_rust<R: Nest>(&mut self, body: impl FnOnce() -> R) -> State<R> {
        trace::begin_rust(&self.function.meets_tensors);
        let result = match catch_unwind(AssertUnwindSafe(body)) {
            Ok(result) => result,
            Err(payload) => return State::Failed(unwound(payload, trace::end_error())),
        };
        let mut holds_tensors = false;
        result.leaves(&mut |_| holds_tensors = true);
        // Asking makes a trace of it.
        let is_traced = holds_tensors && trace::is_tracing();
        if let Some(end) = trace::end_rust().filter(|_| !is_traced) {
            return end.map(|()| result).into();
        }
        let reservation = match self.how {
            How::Cached => self.function.find(&self.signature.key),
            _ => Err(Recursion),
        };
        let reservation = match reservation {
            Ok(Found::Nothing(reservation)) => Some(reservation),
            // Nothing serves the signature, or another thread was first.
            Ok(Found::Trace(_)) | Err(Recursion) => None,
        };
        State::Traced {
            reservation,
            result,
        }
    }

    /// The trace for the signature. One that captured a variable which is an argument now took them for two, and doesn't
    /// serve: the signature then says which one it is.
    fn find(&mut self) -> std::result::Result<Found, Recursion> {
        loop {
            let found = self.function.find(&self.signature.key)?;
            match &found {
                Found::Trace(concrete) => {
                    match concrete.captured_among(&self.signature.variables) {
                        Some(place) => self.signature.is_also(place),
                        None => return Ok(found),
                    }
                }
                Found::Nothing(_) => return Ok(found),
            }
        }
    }

    fn trace<R: Nest>(
        &mut self,
        reservation: Option<Reservation>,
        body: impl FnOnce() -> R,
    ) -> State<R> {
        let key = &self.signature.key[self.generics..];
        let names = describe(key, self.function.parameters());
        let leaves = self.signature.leaves.iter().zip(names.tensors);
        let variables = self.signature.variables.iter().cloned();
        trace::begin(Beginning {
            parameters: leaves
                .map(|(t, (ty, name))| (t.clone(), ty, t.given_name().unwrap_or(name)))
                .collect(),
            variables: variables.zip(names.variables).collect(),
        });
        match catch_unwind(AssertUnwindSafe(body)) {
            Ok(result) => State::Traced {
                reservation,
                result,
            },
            Err(payload) => {
                let recorded = trace::end_error();
                State::Failed(unwound(payload, recorded))
            }
        }
    }

    fn finish<R: Nest>(self, begun: Begun<R>, vars: &mut [Var<'_, Graph>]) -> Finished<R> {
        let begun = match begun.0 {
            // What Rust did to a parameter while tracing, another call would do again.
            State::Traced { result, .. } if self.has_changed(vars) => Begun(State::Traced {
                reservation: None,
                result,
            }),
            state => Begun(state),
        };
        self.ended(begun, collect(vars))
    }

    /// True if one of the parameters that Rust changes isn't what it was when the call began: by another value, or by another
    /// variable.
    fn has_changed(&self, vars: &[Var<'_, Graph>]) -> bool {
        let parameters = vars.iter().filter_map(Var::rust_parameter);
        parameters.zip(&self.of_rust).any(|(parameter, words)| {
            let mut now = Signature::default();
            now.variables.clone_from(&self.signature.variables);
            parameter.trace_type(&mut now);
            now.key[..] != self.signature.key[words.clone()]
        })
    }

    fn ended<R: Nest>(&self, begun: Begun<R>, mut vars: Vars<'_>) -> Finished<R> {
        let result = self.end(begun.0, &mut vars);
        if let Err(error) = &result {
            self.restore(&mut vars);
            if is_wanted(self.function) {
                hand_over(Err(error.clone()));
            }
        }
        Finished(Cell::new(Some(result)))
    }

    /// Gives the `&mut` parameters the values that they had before the call.
    fn restore(&self, vars: &mut Vars<'_>) {
        for ((_, variable), parts) in vars.0.iter_mut().zip(&self.originals) {
            variable.write(&*parts.structure, &mut parts.leaves.iter().cloned());
        }
    }

    fn end<R: Nest>(&self, state: State<R>, vars: &mut Vars<'_>) -> Result<R> {
        let concrete = match state {
            State::Done(result) => return Ok(result),
            State::Failed(error) => return Err(error),
            State::Found(concrete) => concrete,
            State::Traced {
                reservation,
                result,
            } => match (
                self.close(&result, reservation.is_some(), vars)?,
                reservation,
            ) {
                (None, _) => return Ok(result),
                (Some(concrete), Some(reservation)) => self.function.keep(reservation, concrete),
                (Some(concrete), None) => {
                    self.function.traced();
                    Arc::new(concrete)
                }
            },
        };
        if is_wanted(self.function) {
            self.restore(vars);
            let unread = concrete.unread();
            hand_over(Ok(concrete));
            return Ok(unread);
        }
        let signature = &self.signature;
        concrete.run(
            signature.leaves.iter(),
            &signature.variables,
            vars,
            &self.location,
        )
    }

    /// Closes the trace, which may serve other calls. `None` if the body returned an `Err` of its own.
    fn close<R: Nest>(
        &self,
        result: &R,
        serves: bool,
        vars: &Vars<'_>,
    ) -> Result<Option<ConcreteFunction>> {
        let Some(parts) = Parts::of(result) else {
            return match trace::end_error() {
                Some(error) => Err(error),
                None => Ok(None),
            };
        };
        let written: Vec<Parts> = vars.0.iter().filter_map(|(_, v)| v.read()).collect();
        let outputs = trace::with_trace(|trace| {
            if trace.replaying > 0 {
                let message = "the function was left by `?` or by a panic inside a branch or loop that a tensor decides about; \
                               there the graph can't leave it";
                trace.record(message.to_owned(), &self.location);
                trace.builders.truncate(1);
                trace.splits.clear();
                return Vec::new();
            }
            let leaves = parts
                .leaves
                .iter()
                .chain(written.iter().flat_map(|p| &p.leaves));
            let values = trace.resolve_leaves(leaves, &self.location);
            trace.check_returned(&parts, &self.location);
            let outcome = trace.close_to(0, Outcome::always(Code::Return, Group::Returned, values));
            outcome.group(Group::Returned).cloned().unwrap_or_default()
        });
        let traced = trace::finish(&outputs)?;
        if serves && let Some(again) = self.function.creates_again(&traced.created) {
            return Err(Error::trace(trace::SINGLETON, again));
        }
        let outputs = Outputs {
            results: parts.leaves.len(),
            result_type: typeid::of::<R>(),
            result: parts.structure,
            written: written
                .into_iter()
                .map(|p| (p.structure, p.leaves.len()))
                .collect(),
        };
        let key = &self.signature.key[self.generics..];
        Ok(Some(ConcreteFunction::new(
            Arc::from(self.function.name),
            self.function.parameters(),
            key,
            traced,
            outputs,
        )))
    }
}
