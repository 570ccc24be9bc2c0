//! One call of a graph function: collects the signature, then runs the graph for it, tracing the body before if
//! the signature is new. Generated code is written against [`Call`].

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use smallvec::SmallVec;

use super::body::{Begun, State};
use super::cache::Recursion;
use super::concrete::Outputs;
use super::describe::describe;
use super::finished::{Ended, Finished};
use super::inline::{caught, run_body_inline, trace_through, unwound};
use super::{ConcreteFunction, Found, GraphFunction, Reservation};
use crate::debug::EAGER;
use crate::error::{Error, Location, Result};
use crate::kind::{Graph, Var, collect};
use crate::signature::{Argument, Holds, Signature};
use crate::state::Nest;
use crate::trace::{self, AnyTensor, Beginning, Code, Group, Outcome, Parts, Repr, Vars};

/// A call under way.
pub struct Call {
    pub(super) function: &'static GraphFunction,
    pub(super) line: &'static std::panic::Location<'static>,
    /// Not there before something is taken note of: most calls that meet no tensor need none of it.
    taken: Option<Taken>,
    pub(super) how: How,
    /// The call is for its concrete function and isn't carried out.
    pub(super) is_only_traced: bool,
    /// No signature is made: calls of this function have met no tensor so far.
    unsigned: bool,
    /// The type of an argument has room for tensors or variables.
    has_room: bool,
    /// How many words of the signature stand for generic parameters.
    generics: usize,
    /// What is wrong with an argument.
    pub(super) refused: Option<Error>,
}

/// What a call takes note of its arguments.
#[derive(Default)]
pub(super) struct Taken {
    pub signature: Signature,
    /// The `&mut` parameters before the call, to restore them if tracing fails.
    pub originals: SmallVec<[Parts; 2]>,
    /// The words of the `&mut` parameters that Rust changes, while tracing.
    pub of_rust: SmallVec<[Range<usize>; 1]>,
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
    let how = match EAGER.is_on() && !trace::may_trace() {
        true => How::Inline,
        false => How::Cached,
    };
    Call {
        how,
        unsigned: function.has_no_signatures(),
        is_only_traced: false,
        ..only_traced(function)
    }
}

/// Begins a call that gives its concrete function instead of being carried out.
#[track_caller]
pub fn only_traced(function: &'static GraphFunction) -> Call {
    Call {
        function,
        line: std::panic::Location::caller(),
        taken: None,
        how: How::Cached,
        is_only_traced: true,
        unsigned: false,
        has_room: false,
        generics: 0,
        refused: None,
    }
}

impl How {
    pub fn or_worse(self, other: How) -> How {
        if self < other { other } else { self }
    }
}

impl Call {
    /// Adds a generic parameter to the signature.
    #[inline]
    pub fn generic<T: ?Sized>(&mut self) {
        if self.unsigned {
            return;
        }
        let signature = &mut self.taken().signature;
        signature.type_of::<T>();
        self.generics = signature.key.len();
    }

    /// Adds a constant generic parameter to the signature.
    pub fn constant<T: Argument>(&mut self, value: T) {
        if self.unsigned {
            return;
        }
        let signature = &mut self.taken().signature;
        value.trace_type(signature);
        self.generics = signature.key.len();
    }

    /// What is taken note of the arguments.
    pub(super) fn taken(&mut self) -> &mut Taken {
        self.taken.get_or_insert_default()
    }

    /// Says that calls like this one have no use for a signature.
    pub(super) fn needs_no_signature(&self) {
        // Written once: calls of all threads look there.
        if !self.unsigned {
            self.function.is_rust.store(true, Ordering::Relaxed);
        }
    }

    /// What is wrong with asking for the concrete function of a call that runs as plain Rust.
    pub(super) fn has_no_graph(&self) -> Error {
        let name = self.function.name;
        let message = format!(
            "`{name}` has no graph for such a call, which runs as plain Rust: no graph can give its result or change what it changes"
        );
        Error::trace(message, self.location())
    }

    /// Where the call was made, or what it calls was asked for.
    pub(super) fn location(&self) -> Location {
        Location::from(self.line)
    }

    /// Whether an argument of a type that holds this enters the signature.
    #[inline]
    pub(super) fn enters(&mut self, holds: Holds) -> bool {
        self.has_room |= holds != Holds::Rust;
        self.how != How::Inline && (!self.unsigned || holds != Holds::Rust)
    }

    /// Enters an argument without a trace type, of so many bytes.
    #[inline]
    pub(super) fn opaque<T: ?Sized>(&mut self, size: usize) {
        if self.unsigned || self.how == How::Inline {
            return;
        }
        self.taken().signature.type_of::<T>();
        if size > 0 {
            self.no_trace_serves::<T>();
        }
    }

    /// Says that an argument of this type has no trace type.
    fn no_trace_serves<T: ?Sized>(&mut self) {
        self.how = self.how.or_worse(How::Uncached);
        // Inside a trace the body is traced through, as any helper is.
        if !trace::active() {
            self.function.met_opaque(std::any::type_name::<T>());
        }
    }

    /// Runs the body if it must be traced or can't be.
    pub(super) fn begin<R: Nest>(&mut self, body: impl FnOnce() -> R) -> Begun<R> {
        if let Some(error) = self.refused.take() {
            return Begun(State::Failed(error));
        }
        // A signature without those that came before is none to keep a trace by.
        let passes = self.taken.as_ref().is_some_and(|t| t.signature.passing);
        if passes || self.unsigned {
            self.how = self.how.or_worse(How::Uncached);
        }
        if self.unsigned && self.has_room {
            self.function.has_room.store(true, Ordering::Relaxed);
        }
        let state = match self.how {
            _ if self.is_only_traced && self.runs_inline() => State::Failed(self.has_no_graph()),
            How::Inline => return Begun(run_body_inline(body).into()),
            _ if self.may_be_rust() => self.run_as_rust(body),
            How::Uncached if trace::is_tracing() => State::Done(trace_through(body)),
            How::Uncached => self.trace(None, body),
            How::Cached => match self.find() {
                Ok(Found::Trace(concrete)) => State::Found(concrete),
                Ok(Found::Nothing(reservation)) => {
                    // What is traced may be more general than the call.
                    self.taken().signature.key.clone_from(&reservation.key);
                    self.trace(Some(reservation), body)
                }
                Err(Recursion) => State::Failed(Error::trace(
                    format!(
                        "graph function `{}` calls itself with the signature that is being traced, without end. Let a \
                         Rust value decide when the recursion ends, or write a loop",
                        self.function.name
                    ),
                    self.location(),
                )),
            },
        };
        Begun(state)
    }

    /// True if the body runs without a graph of its own.
    fn runs_inline(&self) -> bool {
        match self.how {
            How::Inline => true,
            How::Uncached => trace::is_tracing(),
            How::Cached => false,
        }
    }

    /// True if no argument holds a tensor or variable, and no body of this function called like that has met one.
    fn may_be_rust(&self) -> bool {
        let holds_none = |taken: &Taken| {
            taken.signature.leaves.is_empty() && taken.signature.variables.is_empty()
        };
        self.taken.as_ref().is_none_or(holds_none)
            && !self.function.meets_tensors.load(Ordering::Relaxed)
            && !self.is_only_traced
    }

    /// Runs the body as plain Rust, of which nothing is kept; what follows the first tensor that it meets is traced.
    fn run_as_rust<R: Nest>(&mut self, body: impl FnOnce() -> R) -> State<R> {
        let open = trace::begin_rust(&self.function.meets_tensors);
        let result = match caught(body) {
            Ok(result) => result,
            Err(payload) => return State::Failed(unwound(payload, trace::end_error())),
        };
        let mut holds_tensors = false;
        result.leaves(&mut |_| holds_tensors = true);
        // Asking makes a trace of it.
        let is_traced = holds_tensors && trace::is_tracing();
        if let Some(end) = trace::end_rust().filter(|_| !is_traced) {
            if !self.has_room {
                self.needs_no_signature();
            }
            return end.map(|()| result).into();
        }
        let reservation = match self.how {
            How::Cached => self.function.find(&self.taken().signature.key),
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
            open,
        }
    }

    /// The trace for the signature. One that captured a variable which is an argument now took them for two, and doesn't
    /// serve: the signature then says which one it is.
    fn find(&mut self) -> std::result::Result<Found, Recursion> {
        loop {
            let function = self.function;
            let signature = &mut self.taken().signature;
            let found = function.find(&signature.key)?;
            match &found {
                Found::Trace(concrete) => match concrete.captured_among(&signature.variables) {
                    Some(place) => signature.is_also(place),
                    None => return Ok(found),
                },
                Found::Nothing(_) => return Ok(found),
            }
        }
    }

    fn trace<R: Nest>(
        &mut self,
        reservation: Option<Reservation>,
        body: impl FnOnce() -> R,
    ) -> State<R> {
        if let Some(message) = trace::too_deep() {
            return State::Failed(Error::trace(message, self.location()));
        }
        let (function, generics) = (self.function, self.generics);
        let signature = &self.taken().signature;
        let names = describe(&signature.key[generics..], function.parameters());
        let leaves = signature.leaves.iter().zip(names.tensors);
        let variables = signature.variables.iter().cloned();
        let open = trace::begin(Beginning {
            parameters: leaves
                .map(|(t, (ty, name))| (t.clone(), ty, t.given_name().unwrap_or(name)))
                .collect(),
            variables: variables.zip(names.variables).collect(),
        });
        match caught(body) {
            Ok(result) => State::Traced {
                reservation,
                result,
                open,
            },
            Err(payload) => {
                let recorded = trace::end_error();
                State::Failed(unwound(payload, recorded))
            }
        }
    }

    pub(super) fn finish<R: Nest>(
        &mut self,
        begun: Begun<R>,
        vars: &mut [Var<'_, Graph>],
    ) -> Finished<R> {
        let begun = match begun.0 {
            // Rust has written the parameters itself.
            State::Done(result) => return Finished::new(Ok(Ended::Result(result))),
            // What Rust did to a parameter while tracing, another call would do again.
            State::Traced { result, open, .. } if self.has_changed(vars) => Begun(State::Traced {
                reservation: None,
                result,
                open,
            }),
            state => Begun(state),
        };
        self.ended(begun, collect(vars))
    }

    /// True if one of the parameters that Rust changes isn't what it was when the call began: by another value, or by another
    /// variable.
    fn has_changed(&self, vars: &[Var<'_, Graph>]) -> bool {
        let Some(taken) = &self.taken else {
            return false;
        };
        let parameters = vars.iter().filter_map(Var::rust_parameter);
        parameters.zip(&taken.of_rust).any(|(parameter, words)| {
            let mut now = Signature::default();
            now.variables.clone_from(&taken.signature.variables);
            parameter.trace_type(&mut now);
            now.key[..] != taken.signature.key[words.clone()]
        })
    }

    fn ended<R: Nest>(&mut self, begun: Begun<R>, mut vars: Vars<'_>) -> Finished<R> {
        let result = self.end(begun.0, &mut vars);
        if !matches!(result, Ok(Ended::Result(_))) {
            self.restore(&mut vars);
        }
        Finished::new(result)
    }

    /// Gives the `&mut` parameters the values that they had before the call.
    fn restore(&self, vars: &mut Vars<'_>) {
        if self.unsigned {
            return;
        }
        let originals = self.taken.iter().flat_map(|taken| &taken.originals);
        for ((_, variable), parts) in vars.0.iter_mut().zip(originals) {
            variable.write(&*parts.structure, &mut parts.leaves.iter().cloned());
        }
    }

    fn end<R: Nest>(&mut self, state: State<R>, vars: &mut Vars<'_>) -> Result<Ended<R>> {
        let concrete = match state {
            State::Done(result) => return Ok(Ended::Result(result)),
            State::Failed(error) => return failed(error, R::poisoned()),
            State::Found(concrete) => concrete,
            State::Traced {
                reservation,
                result,
                open: _open,
            } => match (
                self.close(&result, reservation.is_some(), vars),
                reservation,
            ) {
                (Err(error), _) => return failed(error, Some(poisoned(result))),
                (Ok(None), _) if self.is_only_traced => return Err(self.gave_an_error()),
                (Ok(None), _) => return Ok(Ended::Result(result)),
                (Ok(Some(concrete)), Some(reservation)) => {
                    self.function.keep(reservation, concrete)
                }
                (Ok(Some(concrete)), None) => {
                    self.function.traced();
                    Arc::new(concrete)
                }
            },
        };
        if self.is_only_traced {
            return Ok(Ended::Traced(concrete));
        }
        let location = self.location();
        let signature = &self.taken().signature;
        let result = concrete.run(
            signature.leaves.iter(),
            &signature.variables,
            vars,
            &location,
        );
        result.map(Ended::Result)
    }

    /// What is wrong with asking for the concrete function of a call whose body failed by itself.
    fn gave_an_error(&self) -> Error {
        let name = self.function.name;
        let message = format!(
            "`{name}` has no graph for such a call: its body returned an `Err` of its own while it was traced"
        );
        Error::trace(message, self.location())
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
        let location = self.location();
        let written: Vec<Parts> = vars.0.iter().filter_map(|(_, v)| v.read()).collect();
        let outputs = trace::with_trace(|trace| {
            if trace.replaying > 0 {
                let message = "the function was left by `?` or by a panic inside a branch or loop that a tensor decides about; \
                               there the graph can't leave it";
                trace.record(message.to_owned(), &self.location());
                trace.builders.truncate(1);
                trace.splits.clear();
                return Vec::new();
            }
            let leaves = parts
                .leaves
                .iter()
                .chain(written.iter().flat_map(|p| &p.leaves));
            let values = trace.resolve_leaves(leaves, &location);
            trace.check_returned(&parts, &location);
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
        let key = self.taken.as_ref();
        let key = key.map_or(&[][..], |taken| &taken.signature.key[self.generics..]);
        Ok(Some(ConcreteFunction::new(
            Arc::from(self.function.name),
            self.function.parameters(),
            key,
            traced,
            outputs,
        )))
    }
}

/// The end of a call that failed. Within another trace, which has failed with it, it gives a result without values, if there is one.
fn failed<R>(error: Error, poisoned: Option<R>) -> Result<Ended<R>> {
    match poisoned.filter(|_| trace::may_trace()) {
        Some(result) => Ok(Ended::Poisoned(result, Box::new(error))),
        None => Err(error),
    }
}

/// A result of a failed trace, without values.
fn poisoned<R: Nest>(result: R) -> R {
    let poisoned = |x: &AnyTensor| AnyTensor::new(Repr::Poisoned(x.dtype()));
    match Parts::of(&result) {
        Some(parts) => parts.rebuild(parts.leaves.iter().map(poisoned)),
        None => result,
    }
}
