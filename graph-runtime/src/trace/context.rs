//! The stack of graph functions that run on a thread: traces, and eager runs.

use std::cell::RefCell;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use graph_kernels::Array;
use rustc_hash::FxHashMap;

use super::builder::Builder;
use super::outcome::{FrameId, Outcome, Split};
use super::variables::SINGLETON;
use crate::error::{Error, Location, Result};
use crate::graph::{Graph, Shape, TensorType, Value, ValueId, VariableId};
use crate::state::{Parts, Structure};
use crate::tensor::any::{AnyTensor, Identity, Repr};
use crate::variable::Place;

/// A value of a graph under construction.
pub(crate) struct Symbol {
    trace: u64,
    builder: u64,
    value: ValueId,
    pub ty: TensorType,
}

impl Symbol {
    /// Whether both stand for one value.
    pub fn is_same(&self, other: &Symbol) -> bool {
        (self.trace, self.builder, self.value) == (other.trace, other.builder, other.value)
    }
}

/// A graph function that runs on this thread.
enum Frame {
    Trace(Box<Trace>),
    Eager { error: Option<Error> },
}

/// One trace: a function's body is running on symbolic tensors.
pub(crate) struct Trace {
    id: u64,
    /// The builders, outermost first; the last one takes the nodes.
    pub builders: Vec<Builder>,
    /// The branches of which one side has left early, outermost first.
    pub splits: Vec<Split>,
    /// How many branches and loop bodies are being replayed.
    pub replaying: usize,
    /// How the construct just finished leaves, where no side of it falls through.
    pub pending: Option<Outcome>,
    /// The structure of the values returned so far.
    pub returned: Option<Box<dyn Structure>>,
    /// The structure of the values that `break` takes out of each frame.
    pub values: FxHashMap<FrameId, Box<dyn Structure>>,
    /// Arguments and captures: tensors from outside that have become inputs of the function's graph.
    entered: FxHashMap<Identity, ValueId>,
    /// Keeps what `entered` knows by address alive.
    kept: Vec<AnyTensor>,
    captures: Vec<AnyTensor>,
    /// The variables of the function's table: the arguments, then the captured ones.
    variables: Vec<Arc<Place>>,
    /// How many of them are arguments.
    variable_arguments: usize,
    /// Those that the body made, and where.
    created: Vec<(Arc<Place>, Location)>,
    frames: FrameId,
    error: Option<Error>,
}

/// What a finished trace gives.
pub(crate) struct Traced {
    pub graph: Graph,
    /// Tensors from outside that the function read, behind the parameters in the graph's inputs.
    pub captures: Vec<AnyTensor>,
    /// Variables from outside that the function used, behind the arguments in the graph's table.
    pub variables: Vec<Arc<Place>>,
    /// Where it made variables.
    pub created: Vec<Location>,
}

/// What a trace begins with.
pub(crate) struct Beginning {
    /// The tensors that stand for the parameters, their types and names.
    pub parameters: Vec<(AnyTensor, TensorType, Arc<str>)>,
    /// The variables among the arguments, with the names of their parameters.
    pub variables: Vec<(Arc<Place>, Arc<str>)>,
}

thread_local! {
    static STACK: RefCell<Vec<Frame>> = const { RefCell::new(Vec::new()) };
}

const OUT_OF_SCOPE: &str = "this tensor is out of scope: it belongs to a branch, a loop body or a graph function that has \
     ended. Only what a branch, a loop or a function gives back can be used behind it";
const NO_VALUE: &str = "a tensor has no value while its graph function is traced. Compute with tensors instead, take the \
     value from the function's result, or debug with `run_functions_eagerly(true)`";

const ONLY_A_SPEC: &str = "this tensor is only a specification, made of a `TensorSpec`: it has a type and no value. Functions are traced \
     with it, `f::concrete(…)`, and not called";

/// True if any graph function is running on this thread, traced or eager.
pub(crate) fn active() -> bool {
    STACK.with_borrow(|stack| !stack.is_empty())
}

/// How many graph functions are running on this thread, each within the one before.
pub(crate) fn depth() -> usize {
    STACK.with_borrow(Vec::len)
}

/// True if ops on this thread add nodes to a graph.
pub(crate) fn is_tracing() -> bool {
    STACK.with_borrow(|stack| matches!(stack.last(), Some(Frame::Trace(_))))
}

/// Runs `f` on the innermost function's trace.
///
/// # Panics
/// If the innermost function isn't traced: callers ask [`is_tracing`] first.
pub(crate) fn with_trace<R>(f: impl FnOnce(&mut Trace) -> R) -> R {
    STACK.with_borrow_mut(|stack| match stack.last_mut() {
        Some(Frame::Trace(trace)) => f(trace),
        _ => panic!("no graph function is being traced"),
    })
}

/// Begins a trace.
pub(crate) fn begin(beginning: Beginning) {
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
    let trace = Trace {
        id: NEXT.fetch_add(1, Ordering::Relaxed),
        builders: vec![root],
        splits: Vec::new(),
        replaying: 0,
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
        frames: 0,
        error: None,
    };
    STACK.with_borrow_mut(|stack| stack.push(Frame::Trace(Box::new(trace))));
}

/// Ends the innermost trace, which must be at its function's level, with the given results.
pub(crate) fn finish(outputs: &[ValueId]) -> Result<Traced> {
    let Some(Frame::Trace(mut trace)) = STACK.with_borrow_mut(Vec::pop) else {
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

/// Drops the innermost frame after an unwind or an early end, and gives the first error it recorded.
pub(crate) fn end_error() -> Option<Error> {
    match STACK.with_borrow_mut(Vec::pop) {
        Some(Frame::Trace(trace)) => trace.error,
        Some(Frame::Eager { error }) => error,
        None => None,
    }
}

/// Runs `f` as an eager function, and gives the first error an op recorded.
pub(crate) fn run_inline<R>(f: impl FnOnce() -> R) -> (R, Option<Error>) {
    STACK.with_borrow_mut(|stack| stack.push(Frame::Eager { error: None }));
    let result = f();
    (result, end_error())
}

/// Records an error in the innermost function, or panics with it where no function is running.
pub(crate) fn record(error: Error) {
    let unheard = STACK.with_borrow_mut(|stack| match stack.last_mut() {
        Some(Frame::Trace(trace)) => {
            trace.error.get_or_insert(error);
            None
        }
        Some(Frame::Eager { error: slot }) => {
            slot.get_or_insert(error);
            None
        }
        None => Some(error),
    });
    if let Some(error) = unheard {
        panic!("{error}");
    }
}

/// Ends the innermost graph function with an error by unwinding to its call; panics where no function is running.
/// For the places where Rust code asks for a value that doesn't exist, so that no poisoned result can stand for it.
#[track_caller]
pub(crate) fn fail(error: Error) -> ! {
    if active() {
        record(error.clone());
        std::panic::resume_unwind(Box::new(error));
    }
    panic!("{error}")
}

/// See [`AnyTensor::ty`].
pub(crate) fn type_of(tensor: &AnyTensor) -> TensorType {
    let argument = entered(tensor, |trace, value| {
        trace.builders[0].graph.ty(value).clone()
    });
    argument.unwrap_or_else(|| match &tensor.repr {
        Repr::Concrete(array) => TensorType::of_array(array),
        Repr::Symbolic(symbol) => symbol.ty.clone(),
        Repr::Poisoned(dtype) => TensorType::new(*dtype, Shape::unknown()),
        Repr::Placeholder(placeholder) => placeholder.ty.clone(),
    })
}

/// Looks up a tensor among the arguments and captures of the traces of this thread, innermost first.
fn entered<R>(tensor: &AnyTensor, f: impl FnOnce(&Trace, ValueId) -> R) -> Option<R> {
    STACK.with_borrow(|stack| {
        let traces = stack.iter().rev().filter_map(|frame| match frame {
            Frame::Trace(trace) => Some(trace),
            Frame::Eager { .. } => None,
        });
        let identity = tensor.identity();
        for trace in traces {
            if let Some(value) = trace.entered.get(&identity) {
                return Some(f(trace, *value));
            }
        }
        None
    })
}

/// See [`AnyTensor::is_symbolic`].
pub(crate) fn is_symbolic(tensor: &AnyTensor) -> bool {
    match &tensor.repr {
        Repr::Concrete(_) => {
            entered(tensor, |trace, value| trace.is_parameter(value)).unwrap_or(false)
        }
        Repr::Symbolic(_) | Repr::Poisoned(_) | Repr::Placeholder(_) => true,
    }
}

/// See [`AnyTensor::array`].
pub(crate) fn value_of(tensor: &AnyTensor, location: Location) -> Arc<Array> {
    match value_or_error(tensor, &location) {
        Ok(array) => array.clone(),
        Err(error) => fail(error),
    }
}

/// The values of a tensor, or why it has none.
pub(crate) fn value_or_error<'a>(
    tensor: &'a AnyTensor,
    location: &Location,
) -> Result<&'a Arc<Array>> {
    let reason = match &tensor.repr {
        Repr::Concrete(array) if !is_symbolic(tensor) => return Ok(array),
        Repr::Concrete(_) => NO_VALUE,
        Repr::Symbolic(symbol) if is_running(symbol.trace) => NO_VALUE,
        Repr::Symbolic(_) => OUT_OF_SCOPE,
        Repr::Placeholder(_) => ONLY_A_SPEC,
        Repr::Poisoned(_) => "an earlier operation failed, so this tensor has no value",
    };
    Err(Error::trace(reason, location.clone()))
}

/// The values of a tensor where no graph function runs, so that the tensor is nothing else than that.
pub(crate) fn plain_value(tensor: &AnyTensor) -> Option<&Array> {
    match &tensor.repr {
        Repr::Concrete(array) if !active() => Some(array),
        _ => None,
    }
}

fn is_running(id: u64) -> bool {
    STACK.with_borrow(|stack| {
        stack
            .iter()
            .any(|frame| matches!(frame, Frame::Trace(trace) if trace.id == id))
    })
}

/// The values that tensors stand for in the innermost builder of the innermost trace.
pub(super) fn resolve_all(operands: &[&AnyTensor], location: &Location) -> Result<Vec<ValueId>> {
    operands.iter().map(|t| resolve(t, location)).collect()
}

/// The value that a tensor stands for in the innermost builder of the innermost trace.
pub(crate) fn resolve(tensor: &AnyTensor, location: &Location) -> Result<ValueId> {
    if let Repr::Symbolic(symbol) = &tensor.repr
        && !is_running(symbol.trace)
    {
        return Err(Error::trace(OUT_OF_SCOPE, location.clone()));
    }
    with_trace(|trace| trace.resolve(tensor, location))
}

impl Trace {
    /// The builder that takes the nodes.
    pub fn top(&mut self) -> &mut Builder {
        self.builders.last_mut().expect("a trace has a builder")
    }

    /// A tensor that stands for a value of the innermost builder.
    pub fn symbol(&mut self, value: ValueId) -> AnyTensor {
        self.symbol_at(self.builders.len() - 1, value)
    }

    /// A tensor that stands for a value of the builder at a level.
    pub fn symbol_at(&mut self, level: usize, value: ValueId) -> AnyTensor {
        let (trace, builder) = (self.id, &self.builders[level]);
        let symbol = Symbol {
            trace,
            builder: builder.id,
            value,
            ty: builder.graph.ty(value).clone(),
        };
        AnyTensor::new(Repr::Symbolic(Arc::new(symbol)))
    }

    /// A new frame for `break` and `continue` to name.
    pub fn new_frame(&mut self) -> FrameId {
        self.frames += 1;
        self.frames
    }

    /// Keeps the first error.
    pub fn record(&mut self, message: String, location: &Location) {
        self.error
            .get_or_insert_with(|| Error::trace(message, location.clone()));
    }

    /// Notes the structure of a value that `break` takes out of a frame.
    pub fn note_value(&mut self, frame: FrameId, parts: Option<&Parts>) {
        if let Some(parts) = parts {
            self.values.insert(frame, parts.structure.copy());
        }
    }

    /// Every `return` gives a value of the same structure.
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

    fn is_parameter(&self, value: ValueId) -> bool {
        let parameters = self.builders[0].graph.inputs.len() - self.captures.len();
        self.builders[0].graph.inputs[..parameters].contains(&value)
    }

    /// The value that a tensor stands for in the innermost builder.
    pub fn resolve(&mut self, tensor: &AnyTensor, location: &Location) -> Result<ValueId> {
        let (level, value) = self.place_of(tensor, location)?;
        Ok(self.lift(level, value))
    }

    /// The level of the builder that a tensor's value belongs to, and the value.
    pub fn place_of(
        &mut self,
        tensor: &AnyTensor,
        location: &Location,
    ) -> Result<(usize, ValueId)> {
        Ok(match &tensor.repr {
            Repr::Symbolic(symbol) if symbol.trace == self.id => {
                let level = self.builders.iter().position(|b| b.id == symbol.builder);
                (
                    level.ok_or_else(|| Error::trace(OUT_OF_SCOPE, location.clone()))?,
                    symbol.value,
                )
            }
            Repr::Poisoned(_) => {
                return Err(Error::trace(
                    "an earlier operation failed",
                    location.clone(),
                ));
            }
            Repr::Placeholder(_) if !self.entered.contains_key(&tensor.identity()) => {
                return Err(Error::trace(ONLY_A_SPEC, location.clone()));
            }
            Repr::Concrete(_) | Repr::Symbolic(_) | Repr::Placeholder(_) => (0, self.enter(tensor)),
        })
    }

    /// The tensor from outside behind an input of the function's graph that isn't a parameter.
    pub fn captured(&self, input: ValueId) -> Option<&AnyTensor> {
        let inputs = &self.builders[0].graph.inputs;
        let position = inputs.iter().position(|v| *v == input)?;
        let parameters = inputs.len() - self.captures.len();
        self.captures.get(position.checked_sub(parameters)?)
    }

    /// Like [`resolve`](Self::resolve); a tensor that stands for nothing here records the error and gives a
    /// constant of its type, so that tracing can go on to its end.
    pub fn resolve_or_record(&mut self, tensor: &AnyTensor, location: &Location) -> ValueId {
        self.resolve(tensor, location).unwrap_or_else(|error| {
            self.error.get_or_insert(error);
            let array = Array::zeros(tensor.dtype(), &[]);
            self.top().constant(array, location.clone())
        })
    }

    /// The same for the leaves of a value, or of several.
    pub fn resolve_leaves<'a>(
        &mut self,
        leaves: impl IntoIterator<Item = &'a AnyTensor>,
        location: &Location,
    ) -> Vec<ValueId> {
        leaves
            .into_iter()
            .map(|t| self.resolve_or_record(t, location))
            .collect()
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

    /// Whether a variable is among the function's arguments.
    pub fn is_argument(&self, place: &Arc<Place>) -> bool {
        let arguments = &self.variables[..self.variable_arguments];
        arguments.iter().any(|v| Arc::ptr_eq(v, place))
    }

    /// Takes note of a variable that the body has made.
    pub fn created(&mut self, place: &Arc<Place>, location: Location) {
        self.created.push((place.clone(), location));
    }

    /// A variable that the body has made and that nobody outside has kept.
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

    /// The input of the function's graph for a tensor from outside: a parameter, or a capture.
    fn enter(&mut self, tensor: &AnyTensor) -> ValueId {
        if let Some(value) = self.entered.get(&tensor.identity()) {
            return *value;
        }
        let ty = match &tensor.repr {
            Repr::Concrete(array) => TensorType::of_array(array),
            Repr::Symbolic(symbol) => symbol.ty.clone(),
            Repr::Poisoned(dtype) => TensorType::new(*dtype, Shape::unknown()),
            Repr::Placeholder(placeholder) => placeholder.ty.clone(),
        };
        let value = self.builders[0].graph.add_input(ty, None);
        self.entered.insert(tensor.identity(), value);
        self.kept.push(tensor.clone());
        self.captures.push(tensor.clone());
        value
    }

    /// Captures a value of the builder at `level` through all builders inside it.
    fn lift(&mut self, level: usize, mut value: ValueId) -> ValueId {
        for inner in level + 1..self.builders.len() {
            let (outer, inner) = self.builders.split_at_mut(inner);
            let source = &outer[outer.len() - 1].graph;
            let known = &source.values[value.index()];
            value = inner[0].capture(value, &known.ty, known.name.clone());
        }
        value
    }
}
