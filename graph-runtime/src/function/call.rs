//! One call of a graph function: it collects the signature, then runs the graph for it; for a new signature it traces the body
//! before. Generated code uses [`Call`].

mod plain;

use std::sync::Arc;
use std::sync::atomic::Ordering;

use super::body::{Begun, State};
use super::cache::Recursion;
use super::concrete::Outputs;
use super::describe::describe;
use super::finished::{Ended, Finished};
use super::inline::{caught, caught_here, run_body_inline, trace_through, unwound};
use super::record::{MaybeRecord, Record};
use super::stack;
use super::taken::Taken;
use super::{ConcreteFunction, Found, GraphFunction, Reservation};
use crate::debug::EAGER;
use crate::error::{Error, Location, Result};
use crate::kind::{Graph, Var, collect};
use crate::signature::{Argument, Holds, Signature};
use crate::state::Nest;
use crate::trace::{self, AnyTensor, Beginning, Code, Group, Outcome, Parts, Repr, Vars};

/// A call in progress.
pub struct Call {
    pub(super) function: &'static GraphFunction,
    pub(super) line: &'static std::panic::Location<'static>,
    record: MaybeRecord,
    pub(super) how: How,
    /// Only the concrete function is wanted; the call isn't carried out.
    pub(super) is_only_traced: bool,
    /// No signature is made, because calls of this function have met no tensor so far.
    unsigned: bool,
    /// The type of an argument can contain tensors or variables.
    has_room: bool,
    /// How many words of the signature stand for generic parameters.
    generics: usize,
    /// The error that an argument caused.
    pub(super) refused: Option<Error>,
}

/// The way in which a call is carried out.
#[derive(Clone, Copy, PartialEq, PartialOrd)]
pub(super) enum How {
    /// By the graph for its signature.
    Cached,
    /// By a graph for this call only: an argument has no trace type, or is filled during the call.
    Uncached,
    /// As plain Rust: the body changes a value that no graph can write.
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

/// Begins a call that only returns its concrete function.
#[track_caller]
pub fn only_traced(function: &'static GraphFunction) -> Call {
    Call {
        function,
        line: std::panic::Location::caller(),
        record: MaybeRecord::default(),
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
        let signature = &mut self.record().signature;
        signature.type_of::<T>();
        self.generics = signature.key.len();
    }

    /// Adds a constant generic parameter to the signature.
    pub fn constant<T: Argument>(&mut self, value: T) {
        if self.unsigned {
            return;
        }
        let signature = &mut self.record().signature;
        value.trace_type(signature);
        self.generics = signature.key.len();
    }

    /// The record of the arguments.
    pub(super) fn record(&mut self) -> &mut Record {
        self.record.get_or_make()
    }

    /// Records that calls like this one need no signature.
    pub(super) fn needs_no_signature(&self) {
        // Written at most once, because the calls of all threads read it.
        if !self.unsigned {
            self.function.is_rust.store(true, Ordering::Relaxed);
        }
    }

    /// The error if the concrete function is wanted of a call that runs as plain Rust.
    pub(super) fn has_no_graph(&self) -> Error {
        let name = self.function.name;
        let message = format!(
            "`{name}` has no graph for such a call, which runs as plain Rust: no graph can give its result or change what it changes"
        );
        Error::trace(message, self.location())
    }

    /// The location of the call, or of the request for its concrete function.
    pub(super) fn location(&self) -> Location {
        Location::from(self.line)
    }

    /// Whether an argument of a type with these contents enters the signature.
    #[inline]
    pub(super) fn enters(&mut self, holds: Holds) -> bool {
        self.has_room |= holds != Holds::Rust;
        self.how != How::Inline && (!self.unsigned || holds != Holds::Rust)
    }

    /// Enters an argument without a trace type; `size` is its size in bytes.
    #[inline]
    pub(super) fn opaque<T: ?Sized>(&mut self, size: usize) {
        if self.unsigned || self.how == How::Inline {
            return;
        }
        self.record().signature.type_of::<T>();
        if size > 0 {
            self.no_trace_serves::<T>();
        }
    }

    /// Records that an argument of this type has no trace type, so that no kept trace can serve the call.
    fn no_trace_serves<T: ?Sized>(&mut self) {
        self.how = self.how.or_worse(How::Uncached);
        // Inside a trace the body is inlined, as any helper is.
        if !trace::active() {
            self.function.met_opaque(std::any::type_name::<T>());
        }
    }

    /// The error if the call recurses too deeply.
    pub(super) fn overflow(&self) -> Option<Error> {
        stack::overflow(self.function.name, || self.location())
    }

    /// Begins the call: finds a trace, traces the body, or runs it as plain Rust.
    #[inline]
    pub(super) fn begin<R: Nest>(&mut self, body: impl FnOnce() -> R) -> Begun<R> {
        // Most calls without tensors end here, so this asks for nothing that they don't need.
        match self.is_plain() && !stack::is_short() {
            true => Begun(self.run_as_rust(|| caught_here(body))),
            false => self.begin_with_signature(body),
        }
    }

    fn begin_with_signature<R: Nest>(&mut self, body: impl FnOnce() -> R) -> Begun<R> {
        if let Some(error) = self.refused.take() {
            return Begun(State::Failed(error));
        }
        // A trace can't be kept under an incomplete signature: one that isn't made, or that has an argument still to be filled.
        let passes = self.record.get().is_some_and(|t| t.signature.passing);
        if passes || self.unsigned {
            self.how = self.how.or_worse(How::Uncached);
        }
        if self.unsigned && self.has_room {
            self.function.has_room.store(true, Ordering::Relaxed);
        }
        let may_be_rust = self.may_be_rust();
        // `trace` asks again: most cached calls find a trace, and run no body.
        if (may_be_rust || self.how != How::Cached)
            && let Some(error) = self.overflow()
        {
            return Begun(State::Failed(error));
        }
        let state = match self.how {
            _ if self.is_only_traced && self.runs_inline() => State::Failed(self.has_no_graph()),
            How::Inline => return Begun(run_body_inline(body).into()),
            _ if may_be_rust => self.run_as_rust(|| caught(body)),
            How::Uncached if trace::is_tracing() => State::Done(trace_through(body)),
            How::Uncached => self.trace(None, body),
            How::Cached => match self.find() {
                Ok(Found::Trace(concrete)) => State::Found(concrete),
                Ok(Found::Nothing(reservation)) => {
                    // The key to trace may be more general than that of the call.
                    self.record().signature.key.clone_from(&reservation.key);
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

    /// The trace for the signature. If it captured a variable that is now an argument, it treated the two as different and can't
    /// serve the call. Then the signature is extended to say that they are the same.
    fn find(&mut self) -> std::result::Result<Found, Recursion> {
        loop {
            let function = self.function;
            let signature = &mut self.record().signature;
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
        let too_deep = || trace::too_deep().map(|m| Error::trace(m, self.location()));
        if let Some(error) = self.overflow().or_else(too_deep) {
            return State::Failed(error);
        }
        let (function, generics) = (self.function, self.generics);
        let Record {
            signature, types, ..
        } = self.record();
        let words = &signature.key[generics..];
        let described = describe(words, &signature.structs, function.parameters());
        *types = described.types;
        let leaves = signature.leaves.iter().zip(described.tensors);
        let variables = signature.variables.iter().cloned();
        let open = trace::begin(Beginning {
            parameters: leaves
                .map(|(t, (ty, name))| (t.clone(), ty, t.given_name().unwrap_or(name)))
                .collect(),
            variables: variables.zip(described.variables).collect(),
        });
        match caught(body) {
            Ok(result) => State::Traced {
                reservation,
                result,
                open,
            },
            Err(payload) => State::Failed(unwound(payload)),
        }
    }

    pub(super) fn finish<R: Nest>(
        &mut self,
        begun: Begun<R>,
        vars: &mut [Var<'_, Graph>],
    ) -> Finished<R> {
        let begun = match begun.0 {
            // Plain Rust has written the parameters itself.
            State::Done(result) => return Finished::new(Ok(Ended::Result(result))),
            // Rust has changed a parameter while tracing. A call of the trace would not repeat that, so the trace serves only this call.
            State::Traced { result, open, .. } if self.has_changed(vars) => Begun(State::Traced {
                reservation: None,
                result,
                open,
            }),
            state => Begun(state),
        };
        self.ended(begun, collect(vars))
    }

    /// True if one of the parameters that Rust changes differs from its state when the call began: in a value, or in which variable it is.
    fn has_changed(&self, vars: &[Var<'_, Graph>]) -> bool {
        let Some(record) = self.record.get() else {
            return false;
        };
        let parameters = vars.iter().filter_map(Var::rust_parameter);
        parameters.zip(&record.of_rust).any(|(parameter, words)| {
            let mut now = Signature::default();
            now.variables.clone_from(&record.signature.variables);
            parameter.trace_type(&mut now);
            now.key[..] != record.signature.key[words.clone()]
        })
    }

    fn ended<R: Nest>(&mut self, begun: Begun<R>, mut vars: Vars<'_>) -> Finished<R> {
        let result = self.end(begun.0, &mut vars);
        if !matches!(result, Ok(Ended::Result(_))) {
            self.restore(&mut vars);
        }
        Finished::new(result)
    }

    /// Restores the `&mut` parameters to their values before the call.
    fn restore(&self, vars: &mut Vars<'_>) {
        if self.unsigned {
            return;
        }
        let originals = self
            .record
            .get()
            .into_iter()
            .flat_map(|record| &record.originals);
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
        let signature = &self.record().signature;
        let result = concrete.run(
            signature.leaves.iter(),
            &signature.variables,
            vars,
            &location,
        );
        result.map(Ended::Result)
    }

    /// The error if the concrete function is wanted of a call whose body returned an `Err` of its own.
    fn gave_an_error(&self) -> Error {
        let name = self.function.name;
        let message = format!(
            "`{name}` has no graph for such a call: its body returned an `Err` of its own while it was traced"
        );
        Error::trace(message, self.location())
    }

    /// Closes the trace and keeps it for other calls. `None` if the body returned an `Err` of its own.
    fn close<R: Nest>(
        &mut self,
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
            result_spec: result.type_spec(),
            result: parts.structure,
            written: written
                .into_iter()
                .map(|p| (p.structure, p.leaves.len()))
                .collect(),
        };
        Ok(Some(ConcreteFunction::new(
            Arc::from(self.function.name),
            Taken::by(
                self.function.parameters(),
                self.record.get_mut(),
                self.generics,
            ),
            traced,
            outputs,
        )))
    }
}

/// The end of a failed call. Inside another trace, which has recorded the error, the result is a poisoned value, if the type has one.
fn failed<R>(error: Error, poisoned: Option<R>) -> Result<Ended<R>> {
    match poisoned.filter(|_| trace::may_trace()) {
        Some(result) => Ok(Ended::Poisoned(result, Box::new(error))),
        None => Err(error),
    }
}

/// The result of a failed trace, with its tensors poisoned.
fn poisoned<R: Nest>(result: R) -> R {
    let poisoned = |x: &AnyTensor| AnyTensor::new(Repr::Poisoned(x.dtype()));
    match Parts::of(&result) {
        Some(parts) => parts.rebuild(parts.leaves.iter().map(poisoned)),
        None => result,
    }
}
