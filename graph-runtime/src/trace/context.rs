//! The stack of graph functions that run on a thread, traced or eagerly.

mod resolve;

use std::cell::RefCell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use rustc_hash::FxHashMap;

pub(super) use self::resolve::resolve_all;
pub(crate) use self::resolve::{
    Origin, Symbol, array_of, is_entered, is_symbolic, plain_value, resolve, type_of, value_of,
    value_or_error,
};
use super::any::{AnyTensor, Identity};
use super::builder::Builder;
use super::nest::{Parts, Structure};
use super::outcome::{ConstructId, Outcome, Split};
use super::panics::report_recorded_first;
use super::unknown::why_unknown_shape;
use super::variables::SINGLETON;
use crate::error::{self, Error, Location, Result};
use crate::graph::{Graph, SharedGraph, TensorType, Value, ValueId, VariableId};
use crate::nesting;
use crate::passes;
use graph_ir::device::Place;
use graph_ir::types::explain_unknown_sizes_by;

/// A graph function that runs on this thread.
enum Running {
    Trace(Box<Trace>),
    Eager {
        error: Option<Error>,
    },
    /// A body that has met no tensor so far: it runs as plain Rust until it does.
    Rust {
        /// Set when the body meets a tensor.
        met: &'static AtomicBool,
        error: Option<Error>,
    },
}

/// One trace: a function's body is running on symbolic tensors.
pub(crate) struct Trace {
    id: u64,
    /// The builders, outermost first. New nodes go to the last one.
    pub builders: Vec<Builder>,
    /// The branches with one side that has left early, outermost first.
    pub splits: Vec<Split>,
    /// How many branches and loop bodies are being replayed.
    pub replaying: usize,
    /// The nesting depth of the traced code, counted in branches, loops, and inlined functions.
    pub nesting: usize,
    /// How the construct that was just finished leaves, if no side of it falls through.
    pub pending: Option<Outcome>,
    /// The structure of the values that the function has returned so far.
    pub returned: Option<Box<dyn Structure>>,
    /// The structure of the value of each `break` with a value, by its construct.
    pub values: FxHashMap<ConstructId, Box<dyn Structure>>,
    /// Arguments and captures: tensors from outside that have become inputs of the function's graph.
    entered: FxHashMap<Identity, ValueId>,
    /// Keeps the tensors alive that `entered` identifies by address.
    kept: Vec<AnyTensor>,
    captures: Vec<AnyTensor>,
    /// The variables of the function's table: first the arguments, then the captured ones.
    variables: Vec<Arc<Place>>,
    /// How many of them are arguments.
    variable_arguments: usize,
    /// The variables that the body created, with their locations.
    created: Vec<(Arc<Place>, Location)>,
    /// The results of [`called_with`](Self::called_with), by the address of the called graph; the entry keeps that graph alive.
    called: FxHashMap<(*const Graph, Vec<TensorType>), (SharedGraph, SharedGraph)>,
    /// How many constructs have a number.
    constructs: ConstructId,
    error: Option<Error>,
}

/// The result of a finished trace.
pub(crate) struct Traced {
    pub graph: Graph,
    /// Tensors from outside that the function used; they follow the parameters in the graph's inputs.
    pub captures: Vec<AnyTensor>,
    /// Variables from outside that the function used; they follow the arguments in the graph's table.
    pub variables: Vec<Arc<Place>>,
    /// The locations where it created variables.
    pub created: Vec<Location>,
}

/// The inputs of a trace at its beginning.
#[derive(Default)]
pub(crate) struct Beginning {
    /// The symbolic tensors of the parameters, with their types and names.
    pub parameters: Vec<(AnyTensor, TensorType, Arc<str>)>,
    /// The variables among the arguments, with the names of their parameters.
    pub variables: Vec<(Arc<Place>, Arc<str>)>,
}

thread_local! {
    static STACK: RefCell<Vec<Running>> = const { RefCell::new(Vec::new()) };
}

/// True if any graph function is running on this thread, traced or eager.
pub(crate) fn active() -> bool {
    STACK.with_borrow(|stack| !stack.is_empty())
}

/// The message if one more level would nest too deep in the traces of this thread; else `None`.
pub(crate) fn too_deep() -> Option<String> {
    let levels = STACK.with_borrow(|stack| {
        let levels = stack.iter().map(|running| match running {
            Running::Trace(trace) => 1 + trace.nesting,
            // Plain Rust is limited only by the stack.
            Running::Eager { .. } | Running::Rust { .. } => 0,
        });
        levels.sum::<usize>()
    });
    nesting::too_deep("graph functions, branches and loops", levels + 1)
}

/// Fails if one more level would nest too deep.
#[track_caller]
pub(crate) fn check_depth(location: &Location) {
    if let Some(message) = too_deep() {
        fail(Error::trace(message, location.clone()));
    }
}

/// True if ops on this thread add nodes to a graph. Call it only before doing something to a tensor: a plain-Rust body becomes a
/// trace here, and so do the plain-Rust bodies that called it.
pub(crate) fn is_tracing() -> bool {
    STACK.with_borrow_mut(|stack| match stack.last() {
        Some(Running::Trace(_)) => true,
        Some(Running::Rust { .. }) => {
            let innermost = stack.iter_mut().rev();
            innermost
                .map_while(|running| match running {
                    Running::Rust { met, error } => Some((*met, error.take(), running)),
                    _ => None,
                })
                .for_each(|(met, error, running)| {
                    met.store(true, Ordering::Relaxed);
                    let trace = Trace::new(Beginning::default());
                    *running = Running::Trace(Box::new(Trace { error, ..trace }));
                });
            true
        }
        _ => false,
    })
}

/// True if the innermost function is traced, or is plain Rust that would become a trace at its first tensor. Changes nothing,
/// unlike [`is_tracing`].
pub(crate) fn may_trace() -> bool {
    STACK
        .with_borrow(|stack| matches!(stack.last(), Some(Running::Trace(_) | Running::Rust { .. })))
}

/// True if the innermost function has met no tensor so far and runs as plain Rust.
pub(crate) fn is_rust() -> bool {
    STACK.with_borrow(|stack| matches!(stack.last(), Some(Running::Rust { .. })))
}

/// The guard of a function on the stack. Dropping it removes the function, and those called from it that were not removed by a panic.
#[must_use]
pub(crate) struct Open {
    /// The number of functions below it on the stack.
    depth: usize,
}

impl Open {
    fn begin(running: Running) -> Open {
        error::ended_by(end_with);
        explain_unknown_sizes_by(why_unknown_shape);
        STACK.with_borrow_mut(|stack| {
            stack.push(running);
            Open {
                depth: stack.len() - 1,
            }
        })
    }
}

impl Open {
    /// Ends this function, the innermost one, if it has met no tensor; returns the first error that it recorded. Otherwise returns the
    /// guard again.
    #[inline]
    pub fn end_rust(self) -> std::result::Result<Result<()>, Open> {
        let is_rust = |running: &mut Running| matches!(running, Running::Rust { .. });
        match STACK.with_borrow_mut(|stack| stack.pop_if(is_rust)) {
            Some(Running::Rust { error, .. }) => {
                std::mem::forget(self);
                Ok(error.map_or(Ok(()), Err))
            }
            _ => Err(self),
        }
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        while let Some(running) = STACK.with_borrow_mut(|stack| match stack.len() > self.depth {
            true => stack.pop(),
            false => None,
        }) {
            drop(running);
        }
    }
}

/// Begins a body without tensor arguments, which becomes a trace when it meets a tensor; `met` is set then.
pub(crate) fn begin_rust(met: &'static AtomicBool) -> Open {
    Open::begin(Running::Rust { met, error: None })
}

/// Runs `f` on the innermost function's trace.
///
/// # Panics
/// If the innermost function isn't traced: callers ask [`is_tracing`] first.
pub(crate) fn with_trace<R>(f: impl FnOnce(&mut Trace) -> R) -> R {
    STACK.with_borrow_mut(|stack| match stack.last_mut() {
        Some(Running::Trace(trace)) => f(trace),
        _ => panic!("no graph function is being traced"),
    })
}

/// Begins a trace.
pub(crate) fn begin(beginning: Beginning) -> Open {
    Open::begin(Running::Trace(Box::new(Trace::new(beginning))))
}

/// Ends the innermost trace, with the given results. All its inner builders must be closed.
pub(crate) fn finish(outputs: &[ValueId]) -> Result<Traced> {
    let Some(Running::Trace(mut trace)) = STACK.with_borrow_mut(Vec::pop) else {
        panic!("no graph function is being traced");
    };
    if let Some(error) = trace.error {
        return Err(error);
    }
    if let Some((_, location)) = trace.forgotten() {
        return Err(Error::trace(SINGLETON, location.clone()));
    }
    let mut graph = trace.builders.swap_remove(0).graph;
    graph.outputs = outputs.to_vec();
    Ok(Traced {
        graph,
        captures: trace.captures,
        variables: trace.variables.split_off(trace.variable_arguments),
        created: trace.created.into_iter().map(|(_, at)| at).collect(),
    })
}

/// Drops the innermost function after an unwind or an early end, and returns the first error that it recorded.
pub(crate) fn end_error() -> Option<Error> {
    match STACK.with_borrow_mut(Vec::pop) {
        Some(Running::Trace(trace)) => trace.error,
        Some(Running::Eager { error } | Running::Rust { error, .. }) => error,
        None => None,
    }
}

/// Whether the innermost function is traced, in a branch or loop that a tensor decides.
pub(crate) fn is_conditional() -> bool {
    let in_subgraph =
        |running: &Running| matches!(running, Running::Trace(t) if t.builders.len() > 1);
    STACK.with_borrow(|stack| stack.last().is_some_and(in_subgraph))
}

/// The error that the innermost function has recorded so far. `None` while the stack is in use.
pub(super) fn recorded() -> Option<Error> {
    let of_innermost = |stack: &RefCell<Vec<Running>>| match stack.try_borrow().ok()?.last()? {
        Running::Trace(trace) => trace.error.clone(),
        Running::Eager { error } | Running::Rust { error, .. } => error.clone(),
    };
    STACK.try_with(of_innermost).ok().flatten()
}

/// Begins an eager function.
pub(crate) fn begin_eager() -> Open {
    Open::begin(Running::Eager { error: None })
}

/// Records an error in the innermost function, or panics with it where no function is running.
#[track_caller]
pub(crate) fn record(error: Error) {
    let unheard = STACK.with_borrow_mut(|stack| match stack.last_mut() {
        Some(Running::Trace(trace)) => {
            trace.error.get_or_insert(error);
            None
        }
        Some(Running::Eager { error: slot } | Running::Rust { error: slot, .. }) => {
            slot.get_or_insert(error);
            None
        }
        None => Some(error),
    });
    match unheard {
        Some(error) => panic!("{error}"),
        None => report_recorded_first(),
    }
}

/// Ends the innermost graph function with an error, by unwinding to its call; panics where no function is running. Used where Rust
/// code asks for a value that doesn't exist, so that no poisoned result can replace it.
#[track_caller]
pub(crate) fn fail(error: Error) -> ! {
    end_with(&error);
    panic!("{error}")
}

fn end_with(error: &Error) {
    if active() {
        record(error.clone());
        // A program that aborts on panics can't unwind; it panics below with the error's text.
        if !cfg!(panic = "abort") {
            std::panic::resume_unwind(Box::new(error.clone()));
        }
    }
}

/// The value of a result, or [`fail`]s. Not for use in a closure: the panic's location must be the caller's.
#[track_caller]
pub(crate) fn or_fail<T>(result: Result<T>) -> T {
    match result {
        Ok(value) => value,
        Err(error) => fail(error),
    }
}

impl Trace {
    /// A called graph specialized to operands of these types. All calls with such operands share it.
    pub fn called_with(&mut self, graph: SharedGraph, operands: Vec<TensorType>) -> SharedGraph {
        let key = (graph.as_ptr(), operands);
        if let Some((_, known)) = self.called.get(&key) {
            return known.clone();
        }
        let called = passes::called_with(graph.clone(), &key.1);
        self.called.insert(key, (graph, called.clone()));
        called
    }

    fn new(beginning: Beginning) -> Trace {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        let mut root = Builder::new();
        let mut entered = FxHashMap::default();
        for (tensor, ty, name) in &beginning.parameters {
            let value = root.graph.add_input(ty.clone(), Some(name.clone()));
            entered.insert(tensor.identity(), value);
        }
        let variables = beginning.variables.iter();
        root.graph.variables = variables
            .map(|(place, name)| Value {
                ty: place.ty().clone(),
                name: Some(name.clone()),
            })
            .collect();
        Trace {
            id: NEXT.fetch_add(1, Ordering::Relaxed),
            builders: vec![root],
            splits: Vec::new(),
            replaying: 0,
            nesting: 0,
            pending: None,
            returned: None,
            values: FxHashMap::default(),
            entered,
            kept: beginning
                .parameters
                .into_iter()
                .map(|(tensor, ..)| tensor)
                .collect(),
            captures: Vec::new(),
            variable_arguments: beginning.variables.len(),
            variables: beginning.variables.into_iter().map(|v| v.0).collect(),
            created: Vec::new(),
            called: FxHashMap::default(),
            constructs: 0,
            error: None,
        }
    }

    /// The innermost builder, which takes new nodes.
    pub fn top(&mut self) -> &mut Builder {
        self.builders.last_mut().expect("a trace has a builder")
    }

    /// The number of a new construct.
    pub fn new_construct(&mut self) -> ConstructId {
        self.constructs += 1;
        self.constructs
    }

    /// Records an error, unless an earlier one is recorded.
    pub fn record(&mut self, message: String, location: &Location) {
        self.error
            .get_or_insert_with(|| Error::trace(message, location.clone()));
        report_recorded_first();
    }

    /// Checks and records the structure of the value of a `break` out of a construct.
    pub fn note_value(&mut self, construct: ConstructId, parts: Option<&Parts>) {
        if let Some(parts) = parts {
            self.values.insert(construct, parts.structure.copy());
        }
    }

    /// Checks that every `return` gives a value of the same structure.
    pub fn check_returned(&mut self, parts: &Parts, location: &Location) {
        match &self.returned {
            Some(first) if !first.same(&*parts.structure) => {
                let message = format!(
                    "the function returns values of different structure under a tensor condition: {first:?} and {:?}",
                    parts.structure
                );
                self.record(message, location);
            }
            _ => self.returned = Some(parts.structure.copy()),
        }
    }

    /// The position of a variable in the function's table.
    pub fn variable(&mut self, place: &Arc<Place>) -> VariableId {
        let known = self.variables.iter().position(|v| Arc::ptr_eq(v, place));
        let position = known.unwrap_or_else(|| {
            self.variables.push(place.clone());
            self.builders[0].graph.variables.push(Value {
                ty: place.ty().clone(),
                name: Some(place.name().clone()),
            });
            self.variables.len() - 1
        });
        VariableId(position as u32)
    }

    /// The variables of the function's table, in order.
    pub fn variables(&self) -> &[Arc<Place>] {
        &self.variables
    }

    /// Whether a variable is among the function's arguments.
    pub fn is_argument(&self, place: &Arc<Place>) -> bool {
        let arguments = &self.variables[..self.variable_arguments];
        arguments.iter().any(|v| Arc::ptr_eq(v, place))
    }

    /// Registers a variable that the body has created.
    pub fn created(&mut self, place: &Arc<Place>, location: Location) {
        self.created.push((place.clone(), location));
    }

    /// A variable that the body has created and that nothing outside the trace keeps alive.
    fn forgotten(&self) -> Option<&(Arc<Place>, Location)> {
        let ours = |place: &Arc<Place>| {
            1 + usize::from(self.variables.iter().any(|v| Arc::ptr_eq(v, place)))
        };
        let mut created = self.created.iter();
        created.find(|(place, _)| Arc::strong_count(place) <= ours(place))
    }

    /// Names a value after a variable, unless it has a name.
    pub fn name(&mut self, value: ValueId, name: &str) {
        self.top().graph.values[value.index()]
            .name
            .get_or_insert_with(|| Arc::from(name));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_function_that_is_dropped_takes_along_those_within_it() {
        let outer = begin_eager();
        let _inner = begin(Beginning::default());
        assert!(is_tracing());
        drop(outer);
        assert!(!active());
    }

    /// Unlike a panic, `fail` prints nothing when it starts to unwind: the call that it ends reports the error.
    #[test]
    fn what_ends_a_function_takes_the_error_along_and_tells_no_panic() {
        let _open = begin_eager();
        let error = Error::trace("there is no value", Location::unknown());
        let payload = std::panic::catch_unwind(|| fail(error)).expect_err("it ends the function");
        assert!(payload.is::<Error>());
        let recorded = end_error().expect("the function has heard of it");
        assert!(
            recorded.to_string().contains("there is no value"),
            "{recorded}"
        );
    }
}
