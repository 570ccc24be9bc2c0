//! What a tensor means while graph functions run: a value of a graph under construction, an array, or nothing any more. Tensors
//! from outside become inputs of the function's graph at their first use.

use std::sync::Arc;

use graph_kernels::Array;

use super::{Running, STACK, Trace, active, fail, is_tracing, with_trace};
use crate::device::{self, Storage};
use crate::error::{Error, Location, Result};
use crate::graph::{Shape, TensorType, ValueId};
use crate::trace::any::{AnyTensor, Repr};
use crate::trace::variables::read_variable;

/// A value of a graph under construction.
pub(crate) struct Symbol {
    trace: u64,
    builder: u64,
    value: ValueId,
    pub ty: TensorType,
}

/// The same without its type: names a value without keeping anything alive.
#[derive(Clone, Copy)]
pub(crate) struct Origin {
    trace: u64,
    builder: u64,
    pub value: ValueId,
}

const OUT_OF_SCOPE: &str = "this tensor is out of scope: it belongs to a branch, a loop body or a graph function that has \
     ended. Only what a branch, a loop or a function gives back can be used behind it";
const NO_VALUE: &str = "a tensor has no value while its graph function is traced. Compute with tensors instead, take the \
     value from the function's result, or debug with `run_functions_eagerly(true)`";
const ONLY_A_SPEC: &str = "this tensor is only a specification, made of a `TensorSpec`: it has a type and no value. Functions are traced \
     with it, `f::concrete(…)`, and not called";

/// See [`AnyTensor::ty`].
pub(crate) fn type_of(tensor: &AnyTensor) -> TensorType {
    let argument = entered(tensor, |trace, value| {
        trace.builders[0].graph.ty(value).clone()
    });
    argument.unwrap_or_else(|| match &tensor.repr {
        Repr::Concrete(value) => value.ty(),
        Repr::Symbolic(symbol) => symbol.ty.clone(),
        Repr::Poisoned(dtype) => TensorType::new(*dtype, Shape::unknown()),
        Repr::Placeholder(placeholder) => placeholder.ty.clone(),
        Repr::Variable(place) if is_tracing() => place.ty().clone(),
        Repr::Variable(place) => place.read().ty(),
    })
}

/// Looks up a tensor among the arguments and captures of the traces of this thread, innermost first.
fn entered<R>(tensor: &AnyTensor, f: impl FnOnce(&Trace, ValueId) -> R) -> Option<R> {
    STACK.with_borrow(|stack| {
        let traces = stack.iter().rev().filter_map(|running| match running {
            Running::Trace(trace) => Some(trace),
            Running::Eager { .. } | Running::Rust { .. } => None,
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

/// Whether the tensor is known as a value of a graph that is being traced.
pub(crate) fn is_entered(tensor: &AnyTensor) -> bool {
    entered(tensor, |_, _| ()).is_some()
}

/// See [`AnyTensor::is_symbolic`].
pub(crate) fn is_symbolic(tensor: &AnyTensor) -> bool {
    match &tensor.repr {
        Repr::Concrete(_) => {
            entered(tensor, |trace, value| trace.is_parameter(value)).unwrap_or(false)
        }
        Repr::Symbolic(_) | Repr::Poisoned(_) | Repr::Placeholder(_) => true,
        Repr::Variable(_) => is_tracing(),
    }
}

/// See [`AnyTensor::array`].
#[track_caller]
pub(crate) fn array_of(tensor: &AnyTensor, location: Location) -> Arc<Array> {
    device::transfers_are_of(&location);
    match value_of(tensor, location).to_host() {
        Ok(array) => array,
        Err(error) => fail(error),
    }
}

/// The value of a tensor; if it has none, ends the current graph function with an error.
#[track_caller]
pub(crate) fn value_of(tensor: &AnyTensor, location: Location) -> Storage {
    if let Some(place) = tensor.variable() {
        return value_of(&read_variable(place, location.clone()), location);
    }
    match value_or_error(tensor, &location) {
        Ok(value) => value.clone(),
        Err(error) => fail(error),
    }
}

/// The value of a tensor, or an error that says why it has none.
pub(crate) fn value_or_error<'a>(
    tensor: &'a AnyTensor,
    location: &Location,
) -> Result<&'a Storage> {
    let reason = match &tensor.repr {
        Repr::Concrete(value) if !is_symbolic(tensor) => return Ok(value),
        Repr::Concrete(_) => NO_VALUE,
        Repr::Symbolic(symbol) if is_running(symbol.trace) => NO_VALUE,
        Repr::Symbolic(_) => OUT_OF_SCOPE,
        Repr::Placeholder(_) => ONLY_A_SPEC,
        Repr::Poisoned(_) => "an earlier operation failed, so this tensor has no value",
        Repr::Variable(_) => {
            unreachable!("a variable lends what it holds, and gives what was read")
        }
    };
    Err(Error::trace(reason, location.clone()))
}

/// The value of a concrete tensor outside of all graph functions, where no trace can know it as an input.
pub(crate) fn plain_value(tensor: &AnyTensor) -> Option<&Storage> {
    match &tensor.repr {
        Repr::Concrete(value) if !active() => Some(value),
        _ => None,
    }
}

fn is_running(id: u64) -> bool {
    STACK.with_borrow(|stack| {
        stack
            .iter()
            .any(|running| matches!(running, Running::Trace(trace) if trace.id == id))
    })
}

/// The values of tensors in the innermost builder of the innermost trace.
pub(in crate::trace) fn resolve_all(
    operands: &[&AnyTensor],
    location: &Location,
) -> Result<Vec<ValueId>> {
    operands.iter().map(|t| resolve(t, location)).collect()
}

/// The value of a tensor in the innermost builder of the innermost trace.
pub(crate) fn resolve(tensor: &AnyTensor, location: &Location) -> Result<ValueId> {
    if let Repr::Symbolic(symbol) = &tensor.repr
        && !is_running(symbol.trace)
    {
        return Err(Error::trace(OUT_OF_SCOPE, location.clone()));
    }
    if matches!(tensor.repr, Repr::Placeholder(_)) && entered(tensor, |_, _| ()).is_none() {
        return Err(Error::trace(ONLY_A_SPEC, location.clone()));
    }
    with_trace(|trace| trace.resolve(tensor, location))
}

impl Trace {
    /// A symbolic tensor for a value of the innermost builder.
    pub fn symbol(&mut self, value: ValueId) -> AnyTensor {
        self.symbol_at(self.builders.len() - 1, value)
    }

    /// A symbolic tensor for a value of the builder at a level.
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

    /// The value that a tensor stands for, if it is one of this trace.
    pub fn origin(&self, tensor: &AnyTensor) -> Option<Origin> {
        let (trace, builder, value) = match &tensor.repr {
            Repr::Symbolic(symbol) => (symbol.trace, symbol.builder, symbol.value),
            _ => {
                let value = *self.entered.get(&tensor.identity())?;
                (self.id, self.builders[0].id, value)
            }
        };
        Some(Origin {
            trace,
            builder,
            value,
        })
    }

    /// The level of the builder that has the value, if it is still open.
    pub fn level(&self, origin: Origin) -> Option<usize> {
        let level = self.builders.iter().position(|b| b.id == origin.builder)?;
        (origin.trace == self.id).then_some(level)
    }

    /// The value of the innermost builder that a tensor stands for.
    pub fn latest_value(&self, tensor: &AnyTensor) -> Option<ValueId> {
        let origin = self.origin(tensor)?;
        (self.level(origin)? + 1 == self.builders.len()).then_some(origin.value)
    }

    fn is_parameter(&self, value: ValueId) -> bool {
        let parameters = self.builders[0].graph.inputs.len() - self.captures.len();
        self.builders[0].graph.inputs[..parameters].contains(&value)
    }

    /// The value of a tensor in the innermost builder.
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
            Repr::Variable(place) => (self.builders.len() - 1, self.read(place, location.clone())),
            Repr::Concrete(_) | Repr::Symbolic(_) | Repr::Placeholder(_) => (0, self.enter(tensor)),
        })
    }

    /// The tensor from outside that an input of the function's graph captures; `None` for a parameter.
    pub fn captured(&self, input: ValueId) -> Option<&AnyTensor> {
        let inputs = &self.builders[0].graph.inputs;
        let position = inputs.iter().position(|v| *v == input)?;
        let parameters = inputs.len() - self.captures.len();
        self.captures.get(position.checked_sub(parameters)?)
    }

    /// Like [`resolve`](Self::resolve), but a tensor without a value here records the error and gives a constant of its type, so
    /// that tracing can continue to the end.
    pub fn resolve_or_record(&mut self, tensor: &AnyTensor, location: &Location) -> ValueId {
        self.resolve(tensor, location).unwrap_or_else(|error| {
            self.error.get_or_insert(error);
            let array = Array::zeros(tensor.dtype(), &[]);
            self.top().constant(array, location.clone())
        })
    }

    /// Like [`resolve_or_record`](Self::resolve_or_record), for the leaves of one or several values.
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

    /// The input of the function's graph for a tensor from outside: a parameter, or a capture.
    fn enter(&mut self, tensor: &AnyTensor) -> ValueId {
        if let Some(value) = self.entered.get(&tensor.identity()) {
            return *value;
        }
        let ty = match &tensor.repr {
            Repr::Concrete(value) => value.ty(),
            Repr::Symbolic(symbol) => symbol.ty.clone(),
            Repr::Poisoned(dtype) => TensorType::new(*dtype, Shape::unknown()),
            Repr::Placeholder(placeholder) => placeholder.ty.clone(),
            Repr::Variable(_) => unreachable!("a variable is read in the innermost graph"),
        };
        let value = self.builders[0].graph.add_input(ty, None);
        self.entered.insert(tensor.identity(), value);
        self.kept.push(tensor.clone());
        self.captures.push(tensor.clone());
        value
    }

    /// Captures a value of the builder at `level` through all builders inside it.
    fn lift(&mut self, level: usize, value: ValueId) -> ValueId {
        let inner = level + 1..self.builders.len();
        inner.fold(value, |value, level| self.capture_at(level, value))
    }

    /// The input of the builder at a level that represents a value of its parent.
    pub fn capture_at(&mut self, level: usize, value: ValueId) -> ValueId {
        let (outer, inner) = self.builders.split_at_mut(level);
        let source = &outer[outer.len() - 1].graph;
        let known = &source.values[value.index()];
        inner[0].capture(value, &known.ty, known.name.clone())
    }
}
