//! Variables under a trace: reads, assignments and updates add nodes to the innermost graph, which names the variables by their
//! positions in the function's table. Outside a trace they happen at once.

use std::iter::once;
use std::sync::Arc;

use smallvec::SmallVec;

use super::any::{AnyTensor, Repr};
use super::apply::look;
use super::context::{
    Trace, fail, is_tracing, or_fail, record, resolve, resolve_all, value_of, with_trace,
};
use super::observer::observer;
use crate::debug::watches_values;
use crate::device::{self, Device, Storage};
use crate::error::{Error, Location, Result};
use crate::graph::{Graph, Node, Op, TensorType, ValueId};
use crate::ops::{Attrs, OpDef};
use graph_ir::device::Place;

/// The message on where variables may be made; the part in quotes is TensorFlow's, which its documents show.
pub(crate) const SINGLETON: &str = "a variable, or what holds some (a layer, an optimizer, a metric), must be made outside the graph function, \
     or be kept by the first call, in a `OnceLock`, a field or a `static`: what a graph function makes while it is traced is gone when it runs. \
     In TensorFlow's words, \"tf.function only supports singleton tf.Variables created on the first call. Make sure the tf.Variable is only \
     created once or created outside tf.function.\"";

/// Reads a variable at this point of the program.
pub(crate) fn read_variable(place: &Arc<Place>, location: Location) -> AnyTensor {
    if !is_tracing() {
        let mut held = AnyTensor::concrete(place.read());
        if let Some(observer) = observer() {
            observer.read(place, &mut held, &location);
        }
        return held;
    }
    with_trace(|trace| {
        let value = trace.read(place, location);
        trace.symbol(value)
    })
}

impl Trace {
    /// The value of a variable at this point of the program, in the innermost builder.
    pub(super) fn read(&mut self, place: &Arc<Place>, location: Location) -> ValueId {
        let op = Op::ReadVariable(self.variable(place));
        let ty = place.ty().clone();
        self.top().graph.add_node(op, vec![], vec![ty], location)[0]
    }
}

/// Assigns a variable at this point of the program.
#[track_caller]
pub(crate) fn assign_variable(place: &Arc<Place>, value: &AnyTensor, location: Location) {
    if matches!(value.repr, Repr::Poisoned(_)) {
        return;
    }
    if !is_tracing() {
        let value = value_of(value, location.clone());
        device::transfers_are_of(&location);
        let checked = place.check(value.dtype(), value.shape());
        let checked = checked.map_err(|message| Error::run(message, location));
        let assigned = checked.and_then(|()| {
            place.write(|held| {
                *held = held.device().bring(&value)?;
                Ok(())
            })
        });
        return or_fail(assigned);
    }
    let added = resolve(value, &location).and_then(|value| {
        with_trace(|trace| {
            check(place, trace.top().graph.ty(value), &location)?;
            let op = Op::AssignVariable(trace.variable(place));
            let graph = &mut trace.top().graph;
            graph.add_node(op, vec![value], vec![], location);
            Ok(())
        })
    });
    added.unwrap_or_else(record);
}

/// Replaces a variable's value by the result of an op on it and the operands.
#[track_caller]
pub(crate) fn update_variable(
    place: &Arc<Place>,
    op: &'static OpDef,
    attrs: Attrs,
    operands: &[&AnyTensor],
    location: Location,
) {
    if operands.iter().any(|t| matches!(t.repr, Repr::Poisoned(_))) {
        return;
    }
    if !is_tracing() {
        return update_now(place, op, attrs, operands, location);
    }
    let added = resolve_all(operands, &location).and_then(|values| {
        with_trace(|trace| {
            let types = values.iter().map(|v| trace.top().graph.ty(*v).clone());
            let body = body(place, op, attrs, types.collect(), &location)?;
            let op = Op::UpdateVariable {
                variable: trace.variable(place),
                body: body.into(),
            };
            trace.top().graph.add_node(op, values, vec![], location);
            Ok(())
        })
    });
    added.unwrap_or_else(record);
}

/// The subgraph of an update: a single primitive.
fn body(
    place: &Place,
    op: &'static OpDef,
    attrs: Attrs,
    operands: Vec<TensorType>,
    location: &Location,
) -> Result<Graph> {
    let types: Vec<TensorType> = [place.ty().clone()].into_iter().chain(operands).collect();
    let error = |message| Error::trace(message, location.clone());
    let ty = (op.infer)(&types, &attrs).map_err(error)?;
    check(place, &ty, location)?;
    let mut body = Graph::default();
    let mut names = vec![Some(place.name().clone())];
    names.resize(types.len(), None);
    let inputs = types.into_iter().zip(names);
    let inputs = inputs.map(|(ty, name)| body.add_input(ty, name)).collect();
    let output = body.add_value(ty, None);
    body.nodes.push(Node {
        op: Op::Primitive(op, attrs),
        inputs,
        outputs: vec![output],
        location: location.clone(),
    });
    body.outputs.push(output);
    Ok(body)
}

/// Fails if a variable certainly can't hold values of a type.
fn check(place: &Place, value: &TensorType, location: &Location) -> Result<()> {
    if place.ty().dtype == value.dtype && place.ty().shape.may_be(&value.shape) {
        return Ok(());
    }
    Err(Error::trace(place.refusal(value), location.clone()))
}

#[track_caller]
fn update_now(
    place: &Place,
    op: &'static OpDef,
    attrs: Attrs,
    operands: &[&AnyTensor],
    location: Location,
) {
    let values: SmallVec<[Storage; 2]> = operands
        .iter()
        .map(|t| value_of(t, location.clone()))
        .collect();
    let values: SmallVec<[&Storage; 2]> = values.iter().collect();
    device::transfers_are_of(&location);
    let types = values.iter().map(|value| value.ty());
    let types: Vec<TensorType> = once(place.ty().clone()).chain(types).collect();
    let fits = (op.infer)(&types, &attrs).map(drop);
    let result = fits
        .map_err(|message| Error::run(message, location.clone()))
        .and_then(|()| {
            if watches_values() {
                return update_watched(place, (op, &attrs), &values, &location);
            }
            device::update_variable(place, op, &attrs, &values)
                .map_err(|message| Error::run(message, location))
        });
    if let Err(error) = result {
        // Called outside of any closure, so that the panic's location is the caller's.
        fail(error);
    }
}

/// The same while values are inspected: the new value is computed beside the old one, so that the old one remains if the check refuses the new one.
fn update_watched(
    place: &Place,
    (op, attrs): (&'static OpDef, &Attrs),
    operands: &[&Storage],
    location: &Location,
) -> Result<()> {
    place.write(|held| {
        let old = held.clone();
        let operands = once(&old).chain(operands.iter().copied());
        let operands: SmallVec<[&Storage; 3]> = operands.collect();
        let error = |message: String| Error::run(message, location.clone());
        let output = old.device().apply(op, attrs, &operands).map_err(error)?;
        look(op, attrs, &operands, &output, location)?;
        place.check(output.dtype(), output.shape()).map_err(error)?;
        *held = output;
        Ok(())
    })
}

/// Moves a variable's value to another device, at once.
#[track_caller]
pub(crate) fn move_variable(place: &Place, device: Device, location: &Location) {
    let moved = place.write(|held| {
        *held = device::moved(held, device, location)?;
        Ok(())
    });
    or_fail(moved.map_err(|error: Error| {
        let message = format!(
            "the variable '{}' can't be moved to {device}: {}",
            place.name(),
            error.message()
        );
        Error::run(message, location.clone())
    }));
}

/// Whether a variable is an argument of the function being traced.
pub(crate) fn is_argument(place: &Arc<Place>) -> bool {
    is_tracing() && with_trace(|trace| trace.is_argument(place))
}

/// Registers a variable that was just created.
pub(crate) fn created(place: &Arc<Place>, location: Location) {
    if is_tracing() {
        with_trace(|trace| trace.created(place, location));
    }
}
